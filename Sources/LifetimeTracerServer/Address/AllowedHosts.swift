import TracerBase

/// The host names that a server accepts in addition to those of loopback, in the form that the gate expects.
struct AllowedHosts: Sendable, Equatable {
    /// The names without ports; IPv6 addresses are in brackets.
    let names: [String]

    /// Parses names and IP addresses.
    ///
    /// A port is accepted and ignored: an allowed name is allowed with any port.
    ///
    /// - Throws: ``ServerError`` with the code `invalidHost` and the first invalid text.
    init(_ texts: [String]) throws(ServerError) {
        var names: [String] = []
        for text in texts { names.append(try Self.name(in: text)) }
        self.names = names
    }

    /// Parses the value of an environment variable: names separated by commas, with optional spaces around them.
    ///
    /// - Throws: ``ServerError`` with the code `invalidHost`.
    init(list: String) throws(ServerError) {
        let parts = list.split(separator: ",", omittingEmptySubsequences: false).map { part in
            String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        try self.init(list.allSatisfy { $0 == " " } ? [] : parts)
    }

    private static func name(in text: String) throws(ServerError) -> String {
        // The colons of a bare IPv6 address do not introduce a port.
        if SocketAddress(host: text, port: 0)?.isIPv6 == true { return "[\(text.lowercased())]" }
        let (host, port) = parts(of: text)
        guard isPort(port) else { throw invalid(text, "\"\(port.printablePrefix)\" is not a port") }
        if host.hasPrefix("[") {
            let inner = String(host.dropFirst().dropLast())
            guard host.hasSuffix("]"), SocketAddress(host: inner, port: 0)?.isIPv6 == true else {
                throw invalid(text, "the brackets do not contain an IPv6 address")
            }
        } else {
            guard !host.isEmpty else { throw invalid(text, "the name is empty") }
            guard host.utf8.allSatisfy(isNameByte) else {
                throw invalid(text, "a name consists of letters, digits, \"-\", \".\" and \"_\"")
            }
        }
        return host.lowercased()
    }

    /// The text before and after the colon of a port.
    private static func parts(of text: String) -> (host: String, port: String) {
        guard let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") else { return (text, "0") }
        return (String(text[..<colon]), String(text[text.index(after: colon)...]))
    }

    private static func isPort(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt16(text) != nil
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: false
        }
    }

    private static func invalid(_ text: String, _ reason: String) -> ServerError {
        ServerError(
            .invalidHost, "\"\(text.printablePrefix)\" is not a valid allowed host: \(reason)",
            hint: "use the host name or IP address in the browser's URL, such as box.example or 192.0.2.7")
    }
}
