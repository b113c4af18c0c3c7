/// The reason why a command has no answer from a server.
struct ClientFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The failure and its remedy.
    let description: String
    /// Whether a retry can succeed, for example because the server has not started yet.
    let isTemporary: Bool

    /// Creates the failure for a refused connection, a missing response or an incomplete one.
    static func unreachable(_ description: String) -> Self {
        Self(description: description, isTemporary: true)
    }

    /// Creates the failure for an unexpected response.
    static func unusable(_ description: String) -> Self {
        Self(description: description, isTemporary: false)
    }
}
