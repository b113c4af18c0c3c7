import LifetimeTracer

/// What a dashboard remembers of those who have shown an access token: sessions, and wrong guesses.
final class AccessRecord: Sendable {
    let sessions = Locked(SessionTable())
    let guesses = Locked(GuessTable())

    /// Requests with a wrong access token so far.
    var wrongAccessTokens: UInt64 { guesses.withLock { $0.wrong } }

    /// What the bounded tables could not take.
    var drops: [(buffer: String, limit: Int, dropped: UInt64)] {
        [
            ("sessions", SessionTable.limit, sessions.withLock { $0.dropped }),
            ("guessingClients", GuessTable.limit, guesses.withLock { $0.dropped }),
        ]
    }
}
