/// Why a check cannot tell.
struct CheckFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// What failed and what to do.
    let description: String
    /// Whether it may be otherwise in a moment, as when the server has not started yet.
    let isTemporary: Bool

    /// Nobody answers there.
    static func unreachable(_ description: String) -> Self {
        Self(description: description, isTemporary: true)
    }

    /// No instance of a type has ever been there, which may still come or be a typing mistake.
    static func unknownTypes(_ names: String) -> Self {
        Self(
            description: "no such type has been seen: \(names); give it as /api/v1/types shows it, or --wait for it",
            isTemporary: true)
    }

    /// Somebody answers, and not what was expected.
    static func unusable(_ description: String) -> Self {
        Self(description: description, isTemporary: false)
    }
}
