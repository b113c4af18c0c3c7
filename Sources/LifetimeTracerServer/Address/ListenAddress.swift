import TracerBase

/// An address to listen on: a TCP host and port, or a Unix socket.
///
/// Text forms: `8089`, `:8089`, `127.0.0.1:8089`, `localhost:8089`, `[::1]:8089` and `unix:PATH`. The default host is
/// 127.0.0.1, and port 0 picks a free port. Host names other than `localhost` are not resolved, because they may stand
/// for several addresses.
public enum ListenAddress: Hashable, Sendable, CustomStringConvertible {
    /// A port on an IPv4 address, an IPv6 address without brackets, or `localhost`, which stands for 127.0.0.1.
    case tcp(host: String, port: UInt16)
    /// A socket in the file system, accessible to this user only.
    case unix(path: String)

    /// The default address, 127.0.0.1:8089.
    public static let standard = ListenAddress.tcp(host: "127.0.0.1", port: 8089)

    /// Parses an address.
    ///
    /// - Throws: ``ServerError`` with the code `invalidAddress`, the text, the problem and the accepted forms.
    public init(_ text: String) throws(ServerError) {
        if text.hasPrefix(Self.unixPrefix) {
            self = .unix(path: try Self.path(in: text))
            return
        }
        let host: Substring
        let port: Substring
        if text.hasPrefix("[") {
            guard let bracket = text.firstIndex(of: "]") else {
                throw Self.invalid(text, "the closing bracket is missing")
            }
            host = text[text.index(after: text.startIndex)..<bracket]
            let rest = text[text.index(after: bracket)...]
            guard rest.first == ":" else {
                throw Self.invalid(text, "a colon and a port must follow the bracket")
            }
            guard SocketAddress(host: String(host), port: 0)?.isIPv6 == true else {
                throw Self.invalid(text, "\"\(String(host).printablePrefix)\" is not an IPv6 address")
            }
            port = rest.dropFirst()
        } else if let colon = text.lastIndex(of: ":") {
            host = text[..<colon]
            port = text[text.index(after: colon)...]
            guard !host.contains(":") else {
                throw Self.invalid(text, "an IPv6 address must be in brackets")
            }
            guard host.isEmpty || host == "localhost" || SocketAddress(host: String(host), port: 0) != nil else {
                throw Self.invalid(text, "\"\(String(host).printablePrefix)\" is neither an IP address nor localhost")
            }
        } else {
            host = ""
            port = text[...]
        }
        self = .tcp(host: host.isEmpty ? "127.0.0.1" : String(host), port: try Self.port(port, in: text))
    }

    /// The text form that ``init(_:)`` parses.
    public var description: String {
        switch self {
        case .tcp(let host, let port): "\(host.contains(":") ? "[\(host)]" : host):\(port)"
        case .unix(let path): Self.unixPrefix + path
        }
    }

    /// The URL to open in a browser on this machine; for a Unix socket, which browsers cannot open, the address itself.
    ///
    /// For 0.0.0.0 and `::`, which stand for every address of this machine, the URL has the loopback address.
    public var url: String {
        switch self {
        case .tcp(let host, let port):
            if let wildcard = SocketAddress(host: host, port: port), wildcard.isWildcard {
                "http://\(wildcard.isIPv6 ? "[::1]" : "127.0.0.1"):\(port)/"
            } else {
                "http://\(description)/"
            }
        case .unix: description
        }
    }

    /// Whether only this machine can connect; always true for a Unix socket.
    public var isLoopback: Bool {
        switch self {
        case .tcp(let host, let port): SocketAddress(host: host, port: port)?.isLoopback ?? false
        case .unix: true
        }
    }

    /// Whether a server that listens here also answers requests to `other`.
    func covers(_ other: ListenAddress) -> Bool {
        switch (self, other) {
        case (.tcp(let host, let port), .tcp(let otherHost, let otherPort)):
            guard port == otherPort, let own = SocketAddress(host: host, port: port),
                let asked = SocketAddress(host: otherHost, port: port), own.family == asked.family
            else { return false }
            return own.isWildcard || own == asked
        case (.unix(let path), .unix(let otherPath)):
            return path == otherPath
        default:
            return false
        }
    }

    private static let unixPrefix = "unix:"

    private static func path(in text: String) throws(ServerError) -> String {
        let path = text.dropFirst(unixPrefix.count)
        guard !path.isEmpty else { throw invalid(text, "the path is empty") }
        guard !path.utf8.contains(0) else { throw invalid(text, "the path contains a zero byte") }
        return String(path)
    }

    private static func port(_ digits: Substring, in text: String) throws(ServerError) -> UInt16 {
        // Rejects "+80", which `UInt16` accepts, and "080", which a reader may take for octal.
        let plain = !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard plain, digits == "0" || digits.first != "0", let port = UInt16(digits) else {
            throw invalid(text, "\"\(String(digits).printablePrefix)\" is not a port from 0 to 65535")
        }
        return port
    }

    private static func invalid(_ text: String, _ reason: String) -> ServerError {
        ServerError(
            .invalidAddress, "\"\(text.printablePrefix)\" is not an address to listen on: \(reason)",
            hint: "use 8089, :8089, 127.0.0.1:8089, localhost:8089, [::1]:8089 or unix:PATH (port 0 picks a free one)")
    }
}
