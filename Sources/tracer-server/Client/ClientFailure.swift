/// Why a command has no answer from a server.
struct ClientFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// What failed and what to do.
    let description: String
    /// Whether another try can succeed, as when the server has not started yet.
    let isTemporary: Bool

    /// No connection, no answer, or an answer that is cut off.
    static func unreachable(_ description: String) -> Self {
        Self(description: description, isTemporary: true)
    }

    /// An answer that is not the expected one.
    static func unusable(_ description: String) -> Self {
        Self(description: description, isTemporary: false)
    }
}
