import LifetimeTracer

/// The sessions of browsers that have shown the access token.
///
/// A session is a random value that a browser gets as a cookie, so that the access token itself is in no cookie: a browser
/// sends the cookies of a host to all its ports. The table is bounded and lives as long as its dashboard.
///
/// Not locked: state inside a lock of ``AccessRecord``.
struct SessionTable: LockedState {
    /// The most sessions; the one that was unused for longest makes room.
    static let limit = 64
    /// How long a session lasts unused.
    static let lifetime = Duration.seconds(7 * 24 * 3600)

    /// Sessions that had to make room.
    private(set) var dropped: UInt64 = 0

    private struct Session: Sendable {
        let secret: Secret
        var usedAt: MonotonicTime
    }

    private var sessions: [Session] = []

    /// How many sessions there are.
    var count: Int { sessions.count }

    /// Opens a session and returns the value that stands for it.
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

    /// Whether a value stands for a session; if so, the session counts as used.
    mutating func admits(_ shown: String, at now: MonotonicTime) -> Bool {
        dropExpired(at: now)
        var isAdmitted = false
        // All are compared, whichever it is, so that the time says nothing.
        for position in sessions.indices where sessions[position].secret.matches(shown) {
            sessions[position].usedAt = now
            isAdmitted = true
        }
        return isAdmitted
    }

    private mutating func dropExpired(at now: MonotonicTime) {
        sessions.removeAll { now - $0.usedAt > Self.lifetime }
    }

    /// 256 bits from the system's random source, as hexadecimal digits.
    private static func randomValue() -> String {
        var source = SystemRandomNumberGenerator()
        return (0..<4).map { _ in
            let digits = String(source.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        .joined()
    }
}
