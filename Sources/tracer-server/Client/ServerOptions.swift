import Foundation
import LifetimeTracerServer

/// The operand of every command that connects to a server.
extension CommandSyntax.Operand {
    static let server = Self(name: "URL", help: "The server: \(ServerAddress.forms).")
}

extension CommandSyntax.Option {
    static let timeout = Self(
        "--timeout", "SECONDS",
        help: "Let one request take so long, from the connection to the end of the answer. 10 unless given.")
    static let tokenFile = Self(
        "--token-file", "FILE",
        help: "Take the access token from the first line of this file, whatever the environment says.")
}

extension CommandSyntax {
    /// The note in the help texts on how the commands connect.
    static let connectionNote =
        "The connection is always direct: http_proxy and the like are ignored, because a proxy would see the access "
        + "token. Redirects are not followed. The access token is that of LIFETIME_TRACER_TOKEN, or in the "
        + "first line of the file that LIFETIME_TRACER_TOKEN_FILE names."
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
