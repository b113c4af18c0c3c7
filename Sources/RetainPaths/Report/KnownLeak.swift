import LifetimeTracer

/// A leak that is known and need not be reported until a date.
public struct KnownLeak: Sendable, Hashable {
    /// What it is known by: a fingerprint, or a pattern for a path's signature.
    public let subject: String
    /// Why it is tolerated.
    public let reason: String
    /// The last day, as YYYY-MM-DD in UTC, on which it is silenced; `nil` for ever.
    public let expires: String?

    let matcher: Matcher
    let lastDay: CalendarDay?

    enum Matcher: Sendable, Hashable {
        case fingerprint(Fingerprint)
        case pattern(PathPattern)
    }

    /// Whether its date has passed.
    func hasExpired(on today: CalendarDay) -> Bool {
        lastDay.map { $0 < today } ?? false
    }

    /// Whether a leak is this one.
    func isMeant(fingerprint: Fingerprint?, signature: [String]) -> Bool {
        switch matcher {
        case .fingerprint(let known): known == fingerprint
        case .pattern(let pattern): pattern.matches(signature)
        }
    }
}
