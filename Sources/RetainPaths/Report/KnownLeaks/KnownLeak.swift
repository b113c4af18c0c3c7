import LifetimeTracer
import TracerBase

/// A leak that someone has accepted, possibly until a date.
public struct KnownLeak: Sendable, Hashable {
    /// The fingerprint of the leak, or the pattern for its path's signature.
    public let subject: String
    /// The reason for which the leak is accepted.
    public let reason: String
    /// The last day, as YYYY-MM-DD in UTC, on which the leak is accepted; `nil` if it is accepted forever.
    public let expires: String?

    let matcher: Matcher
    let lastDay: CalendarDay?

    enum Matcher: Sendable, Hashable {
        case fingerprint(Fingerprint)
        case pattern(PathPattern)
    }

    /// Whether the last day has passed.
    func hasExpired(on today: CalendarDay) -> Bool {
        lastDay.map { $0 < today } ?? false
    }

    /// Whether a leak with this fingerprint and signature is the known leak.
    func isMeant(fingerprint: Fingerprint?, signature: [String]) -> Bool {
        switch matcher {
        case .fingerprint(let known): known == fingerprint
        case .pattern(let pattern): pattern.matches(signature)
        }
    }
}
