import Foundation

/// What the command line of every command that asks a server has.
extension CommandSyntax.Operand {
    static let server = Self(name: "URL", help: "The server: \(ServerAddress.forms).")
}

extension CommandSyntax.Option {
    static let timeout = Self(
        "--timeout", "SECONDS",
        help: "Let one request take so long, from the connection to the end of the answer. 10 unless given.")
}

extension CommandSyntax {
    /// How the commands connect.
    static let connectionNote =
        "The connection is always direct: http_proxy and the like are ignored, because a proxy would see the access "
        + "token. Redirects are not followed. The access token is that of LIFETIME_TRACER_TOKEN."
}

extension Arguments {
    /// How long one request may take.
    func timeout() throws(UsageError) -> Duration {
        .seconds(try seconds("--timeout", in: SocketTransport.timeouts) ?? SocketTransport.usualTimeout)
    }
}

extension ServerAddress {
    /// What brings requests there, with the access token that the environment has.
    func transport(timeout: Duration) -> any APITransport {
        let token = ProcessInfo.processInfo.environment["LIFETIME_TRACER_TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
        return SocketTransport(address: self, token: token, timeout: timeout)
    }
}
