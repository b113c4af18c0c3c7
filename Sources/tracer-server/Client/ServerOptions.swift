import Foundation
import LifetimeTracerServer

/// What the command line of every command that asks a server has.
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
    /// How the commands connect.
    static let connectionNote =
        "The connection is always direct: http_proxy and the like are ignored, because a proxy would see the access "
        + "token. Redirects are not followed. The access token is that of LIFETIME_TRACER_TOKEN, or in the "
        + "first line of the file that LIFETIME_TRACER_TOKEN_FILE names."
}

extension Arguments {
    /// How long one request may take.
    func timeout() throws(UsageError) -> Duration {
        .seconds(try seconds("--timeout", in: SocketTransport.timeouts) ?? SocketTransport.usualTimeout)
    }
}

extension ServerAddress {
    /// What brings requests there, with the access token of a file, or the one that the environment has.
    func transport(timeout: Duration, tokenFile: String?) -> any APITransport {
        do throws(ServerError) {
            let token = try AccessToken.read(from: ProcessInfo.processInfo.environment, fileOption: tokenFile)
            return SocketTransport(address: self, token: token, timeout: timeout)
        } catch {
            return UnusableTransport(failure: .unusable("\(error)"))
        }
    }
}
