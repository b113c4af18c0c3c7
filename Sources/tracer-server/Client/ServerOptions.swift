import Foundation
import LifetimeTracerServer

/// The operand of every command that connects to a server.
extension CommandSyntax.Operand {
    static let server = Self(name: "URL", help: "Address of the server: \(ServerAddress.forms).")
}

extension CommandSyntax.Option {
    static let timeout = Self(
        "--timeout", "SECONDS",
        help:
            "Limit the time of one request, from the name lookup to the last byte of the response. Default: 10.")
    static let tokenFile = Self(
        "--token-file", "FILE",
        help: "Read the access token from the first line of FILE, and ignore the access token of the environment.")
}

extension CommandSyntax {
    /// The note in the help texts on how the commands connect.
    static let connectionNote =
        "The connection is always direct: the command ignores http_proxy and similar variables, because a proxy would "
        + "see the access token. The command does not follow redirects. Without --token-file, the access token comes "
        + "from LIFETIME_TRACER_TOKEN, or from the first line of the file that LIFETIME_TRACER_TOKEN_FILE names."
}

extension Arguments {
    /// Returns the timeout of one request.
    func timeout() throws(UsageError) -> Duration {
        .seconds(try seconds("--timeout", in: SocketTransport.timeouts) ?? SocketTransport.usualTimeout)
    }
}

extension ServerAddress {
    /// Returns the transport to this server, with the access token from the file or else from the environment.
    func transport(timeout: Duration, tokenFile: String?) -> any APITransport {
        do throws(ServerError) {
            let token = try AccessToken.read(from: ProcessInfo.processInfo.environment, fileOption: tokenFile)
            return SocketTransport(address: self, token: token, timeout: timeout)
        } catch {
            return UnusableTransport(failure: .unusable("\(error)"))
        }
    }
}
