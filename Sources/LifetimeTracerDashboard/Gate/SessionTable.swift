import LifetimeTracer

/// The sessions of browsers that have shown the access token.
///
/// A session is a random value that a browser gets as a cookie. The access token itself is in no cookie, because a
/// browser sends a host's cookies to all its ports. The table is bounded and lives as long as its dashboard.
///
/// Not synchronized: ``AccessRecord`` keeps the table inside a lock.
struct SessionTable: LockedState {
    /// The most sessions.
    ///
    /// A new session above the limit replaces the least recently used one.
    static let limit = 64
    /// The time after its last use at which a session expires.
    static let lifetime = Duration.seconds(7 * 24 * 3600)

    /// The number of sessions that were replaced by newer ones.
    private(set) var dropped = 0

    private struct Session: Sendable {
        let secret: Secret
        var usedAt: MonotonicTime
    }

    private var sessions: [Session] = []

    /// The number of sessions, including expired ones that are not yet removed.
    var count: Int { sessions.count }

    /// Opens a session and returns its cookie value.
    mutating func open(at now: MonotonicTime) -> String {
        dropExpired(at: now)
        if sessions.count >= Self.limit,
            let oldest = sessions.indices.min(by: { sessions[$0].usedAt < sessions[$1].usedAt })
        {
            sessions.remove(at: oldest)
            dropped += 1
        }
        let value = Self.randomValue()
        sessions.append(Session(secret: Secret(value), usedAt: now))
        return value
    }

    /// Returns whether a value belongs to a session, and marks that session as used.
    mutating func admits(_ shown: String, at now: MonotonicTime) -> Bool {
        dropExpired(at: now)
        var isAdmitted = false
        // Every session is compared, so the time does not reveal which one matched.
        for position in sessions.indices where sessions[position].secret.matches(shown) {
            sessions[position].usedAt = now
            isAdmitted = true
        }
        return isAdmitted
    }

    private mutating func dropExpired(at now: MonotonicTime) {
        sessions.removeAll { now - $0.usedAt > Self.lifetime }
    }

    /// Returns 256 bits from the system's random source, as hexadecimal digits.
    private static func randomValue() -> String {
        var source = SystemRandomNumberGenerator()
        return (0..<4).map { _ in
            let digits = String(source.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        .joined()
    }
}
