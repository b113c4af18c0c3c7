import LifetimeTracer

/// The sessions and the wrong access tokens that a dashboard remembers.
final class AccessRecord: Sendable {
    let sessions = Locked(SessionTable())
    let guesses = Locked(GuessTable())

    /// The number of requests with a wrong access token.
    var wrongAccessTokens: Int { guesses.withLock { $0.wrong } }

    /// The limits of the two tables and the entries that they dropped.
    var drops: [(buffer: String, limit: Int, dropped: Int)] {
        [
            ("sessions", SessionTable.limit, sessions.withLock { $0.dropped }),
            ("guessingClients", GuessTable.limit, guesses.withLock { $0.dropped }),
        ]
    }
}
