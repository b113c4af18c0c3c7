import Foundation

/// Which server is asked.
enum CheckTarget: Sendable, Equatable {
    /// One that is reached over TCP: `http://127.0.0.1:8089/`.
    case http(URL)
    /// One that listens on a socket in the file system.
    case unix(path: String)

    /// Reads an address.
    ///
    /// - Parameter syntax: That of the command that it is given to, for the error.
    init(_ text: String, of syntax: CommandSyntax) throws(UsageError) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst("unix:".count))
            guard !path.isEmpty else { throw Self.invalid(text, syntax) }
            self = .unix(path: path)
            return
        }
        guard let url = URL(string: text), url.scheme?.lowercased() == "http", url.host?.isEmpty == false,
            ["", "/"].contains(url.path), url.query == nil, url.fragment == nil, url.user == nil
        else { throw Self.invalid(text, syntax) }
        self = .http(url)
    }

    /// The text that it was read from, more or less.
    var description: String {
        switch self {
        case .http(let url): url.absoluteString
        case .unix(let path): "unix:\(path)"
        }
    }

    /// What brings requests there, with the token that the environment has for it.
    var transport: any APITransport {
        let token = ProcessInfo.processInfo.environment["LIFETIME_TRACER_TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
        return switch self {
        case .http(let url): SessionTransport(base: url, token: token)
        case .unix(let path): UnixTransport(path: path, token: token)
        }
    }

    private static func invalid(_ text: String, _ syntax: CommandSyntax) -> UsageError {
        syntax.error("\"\(text)\" is not an address of a server: give http://HOST:PORT/ or unix:PATH")
    }
}
