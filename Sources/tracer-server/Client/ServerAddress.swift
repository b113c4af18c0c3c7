/// The address of a server.
///
/// The text forms are `http://HOST:PORT/`, `HOST:PORT`, `[::1]:PORT`, `:PORT` or `PORT` for this machine, `unix:PATH`
/// and `unix:///PATH`.
enum ServerAddress: Sendable, Hashable {
    /// A host name or an IP address (IPv6 without brackets), and a port.
    case tcp(host: String, port: UInt16)
    /// A Unix socket.
    case unix(path: String)

    /// The common text forms in one line, for help texts and errors.
    static let forms = "http://HOST:PORT/, HOST:PORT or unix:PATH"

    /// Parses an address.
    ///
    /// - Parameter syntax: The syntax of the command, for the error.
    init(_ text: String, of syntax: CommandSyntax) throws(UsageError) {
        do throws(InvalidAddress) {
            self = try Self.read(text)
        } catch {
            throw syntax.error(error.description)
        }
    }

    /// The URL of a server over TCP, or `unix:PATH` of a Unix socket.
    var description: String {
        switch self {
        case .tcp(let host, let port): "http://\(Self.bracketed(host)):\(port)/"
        case .unix(let path): "unix:\(path)"
        }
    }

    /// The value of the `Host` field of a request.
    var hostField: String {
        switch self {
        case .tcp(let host, let port):
            // The zone of a link-local address is valid on this machine only.
            "\(Self.bracketed(String(host.prefix { $0 != "%" }))):\(port)"
        case .unix: "localhost"
        }
    }

    private static func bracketed(_ host: String) -> String {
        host.contains(":") ? "[\(host)]" : host
    }
}

/// The error for a text that is not the address of a server.
private struct InvalidAddress: Error, CustomStringConvertible {
    let description: String

    init(_ text: String, _ reason: String? = nil) {
        description =
            "\"\(text)\" is not a server address\(reason.map { ": \($0)" } ?? ""); expected \(ServerAddress.forms)"
    }

    /// Creates the error for a text that may contain a secret; the error does not repeat the text.
    init(withoutTextBecause reason: String) {
        description = "\(reason); expected \(ServerAddress.forms)"
    }
}

extension ServerAddress {
    private static func read(_ text: String) throws(InvalidAddress) -> Self {
        guard !text.unicodeScalars.contains(where: { $0.value <= 0x1F || $0.value == 0x7F }) else {
            throw InvalidAddress(text, "the address contains a control character")
        }
        if text.hasPrefix("unix:") { return .unix(path: try path(in: text)) }
        guard let mark = text.range(of: "://") else { return try endpoint(text, of: text, usualPort: nil) }
        switch text[..<mark.lowerBound].lowercased() {
        case "http":
            return try endpoint(try authority(text[mark.upperBound...], of: text), of: text, usualPort: 80)
        case "https":
            throw InvalidAddress(text, "https is not supported; use http on this machine or through an SSH tunnel")
        default:
            throw InvalidAddress(text)
        }
    }

    private static func path(in text: String) throws(InvalidAddress) -> String {
        var path = text.dropFirst("unix:".count)
        if path.hasPrefix("//") {
            path = path.dropFirst(2)
            guard path.hasPrefix("/") else {
                throw InvalidAddress(text, "a Unix socket has no host; write unix:///PATH with three slashes")
            }
        }
        guard !path.isEmpty else { throw InvalidAddress(text, "the path is empty") }
        return String(path)
    }

    /// Returns the host and port of a URL; throws if the URL has further parts.
    private static func authority(_ rest: Substring, of text: String) throws(InvalidAddress) -> String {
        guard !rest.contains("@") else {
            throw InvalidAddress(
                withoutTextBecause: "a server address cannot contain a user or a password; set the access token with "
                    + "LIFETIME_TRACER_TOKEN")
        }
        guard !rest.contains("?"), !rest.contains("#") else {
            throw InvalidAddress(
                withoutTextBecause: "a server address cannot contain a query; set the access token with "
                    + "LIFETIME_TRACER_TOKEN")
        }
        guard let slash = rest.firstIndex(of: "/") else { return String(rest) }
        guard rest[slash...] == "/" else {
            throw InvalidAddress(text, "remove the path \(rest[slash...])")
        }
        return String(rest[..<slash])
    }

    /// Parses `HOST:PORT`.
    ///
    /// - Parameter usualPort: The default port; `nil` if the text must contain a port.
    private static func endpoint(
        _ endpoint: String, of text: String, usualPort: UInt16?
    ) throws(InvalidAddress) -> Self {
        let host: Substring
        var port: Substring?
        if endpoint.hasPrefix("[") {
            guard let bracket = endpoint.firstIndex(of: "]") else {
                throw InvalidAddress(text, "the closing bracket is missing")
            }
            host = endpoint[endpoint.index(after: endpoint.startIndex)..<bracket]
            let rest = endpoint[endpoint.index(after: bracket)...]
            guard rest.isEmpty || rest.first == ":" else { throw InvalidAddress(text) }
            port = rest.isEmpty ? nil : rest.dropFirst()
            guard host.contains(":"), host.utf8.allSatisfy(isAddressByte) else {
                throw InvalidAddress(text, "the brackets contain no IPv6 address")
            }
        } else {
            let parts = endpoint.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count <= 2 else { throw InvalidAddress(text, "an IPv6 address needs brackets: [::1]:8089") }
            // A number alone is a port on this machine, as in a server's listen address.
            let isPortAlone = usualPort == nil && parts.count == 1 && Arguments.count(in: endpoint) != nil
            host = isPortAlone ? "" : parts[0]
            port = isPortAlone ? parts[0] : parts.count == 2 ? parts[1] : nil
            guard host.utf8.allSatisfy(isNameByte), usualPort == nil || !host.isEmpty else {
                throw InvalidAddress(text)
            }
        }
        guard let port else {
            guard let usualPort else { throw InvalidAddress(text, "the port is missing") }
            return .tcp(host: String(host), port: usualPort)
        }
        guard let number = Arguments.count(in: String(port)).flatMap(UInt16.init(exactly:)), number > 0 else {
            throw InvalidAddress(text, "\"\(port)\" is not a port from 1 to 65535")
        }
        return .tcp(host: host.isEmpty ? "127.0.0.1" : String(host), port: number)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: false
        }
    }

    /// The zone of an IPv6 address follows a percent sign and is the name of an interface.
    private static func isAddressByte(_ byte: UInt8) -> Bool {
        isNameByte(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "%")
    }
}
