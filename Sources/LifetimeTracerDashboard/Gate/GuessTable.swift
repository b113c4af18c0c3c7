import LifetimeTracer

/// The clients that recently showed wrong access tokens.
///
/// The table slows guessing down.
///
/// A client may show ``burst`` wrong access tokens; one is forgotten every ``forgetting``. Above the limit, the
/// client's access tokens are refused unread, right or wrong. This never locks out a client that has shown the right
/// one before, nor a client on this machine: their access tokens are always compared, and only wrong ones are refused.
///
/// Not synchronized: ``AccessRecord`` keeps the table inside a lock.
struct GuessTable: LockedState {
    /// The number of wrong access tokens before a client has to wait.
    static let burst = 10
    /// The time after which one wrong access token is forgotten.
    static let forgetting = Duration.seconds(6)
    /// The most clients with an entry.
    ///
    /// Clients without room share one entry, and their access tokens are always compared.
    static let limit = 1024

    /// The number of wrong access tokens.
    private(set) var wrong = 0
    /// The number of wrong access tokens from clients without an entry.
    private(set) var dropped = 0

    /// The time at which all wrong access tokens of a client are forgotten.
    private var clearAt: [ClientNetwork: MonotonicTime] = [:]
    /// The same time for all clients whose address is unknown or that found no room.
    private var sharedClearAt: MonotonicTime?
    /// The clients that have shown the right access token, with the time at which each last did.
    private var trusted: [ClientNetwork: MonotonicTime] = [:]

    /// The time until the client's next access token is compared; `nil` if it is compared at once.
    func wait(of client: ClientNetwork?, at now: MonotonicTime) -> Duration? {
        guard let client, !client.isLoopback, trusted[client] == nil else { return nil }
        return Self.excess(clearAt[client], at: now)
    }

    /// Records a right access token.
    mutating func noteRight(of client: ClientNetwork?, at now: MonotonicTime) {
        guard let client, !client.isLoopback else { return }
        if trusted[client] == nil, trusted.count >= Self.limit,
            let oldest = trusted.min(by: { $0.value < $1.value })?.key
        {
            trusted[oldest] = nil
        }
        trusted[client] = now
    }

    /// Records a wrong access token.
    ///
    /// - Returns: The time that the client should wait before it shows another; `nil` below the limit.
    mutating func noteWrong(of client: ClientNetwork?, at now: MonotonicTime) -> Duration? {
        wrong += 1
        guard let client, hasRoom(for: client, at: now) else {
            if client != nil { dropped += 1 }
            return Self.add(to: &sharedClearAt, at: now)
        }
        return Self.add(to: &clearAt[client], at: now)
    }

    private mutating func hasRoom(for client: ClientNetwork, at now: MonotonicTime) -> Bool {
        if clearAt[client] == nil, clearAt.count >= Self.limit { clearAt = clearAt.filter { $0.value > now } }
        return clearAt[client] != nil || clearAt.count < Self.limit
    }

    private static func add(to clearAt: inout MonotonicTime?, at now: MonotonicTime) -> Duration? {
        let wait = excess(clearAt, at: now)
        // Refused attempts do not count. Otherwise the wait would never end.
        if wait == nil { clearAt = max(clearAt ?? now, now) + forgetting }
        return wait
    }

    private static func excess(_ clearAt: MonotonicTime?, at now: MonotonicTime) -> Duration? {
        guard let clearAt else { return nil }
        let excess = (clearAt - now) - forgetting * (burst - 1)
        return excess > .zero ? excess : nil
    }
}
