import LifetimeTracer

/// Who has shown wrong access tokens lately, so that guessing is slow.
///
/// A client may show ``burst`` wrong ones; one of them is forgotten each ``forgetting``. Above that its access tokens are not
/// even looked at, right or wrong. That can never lock out a client that has shown the right one before, nor anybody on
/// this machine: theirs are always looked at, and only wrong ones are refused.
///
/// Not locked: state inside a lock of ``AccessRecord``.
struct GuessTable: LockedState {
    /// Wrong access tokens in a row before a client has to wait.
    static let burst = 10
    /// How long until one of them is forgotten.
    static let forgetting = Duration.seconds(6)
    /// The most clients that are told apart; those without room share one entry and are always looked at.
    static let limit = 1024

    /// Wrong access tokens so far.
    private(set) var wrong: UInt64 = 0
    /// Wrong access tokens of clients that found no room.
    private(set) var dropped: UInt64 = 0

    /// When all wrong ones of a client will be forgotten.
    private var clearAt: [ClientNetwork: MonotonicTime] = [:]
    /// The same for all whose address is not known or found no room.
    private var sharedClearAt: MonotonicTime?
    /// Clients that have shown the right one, and when they last did.
    private var trusted: [ClientNetwork: MonotonicTime] = [:]

    /// How long a client has to wait until its next access token is looked at; `nil` when that is at once.
    func wait(of client: ClientNetwork?, at now: MonotonicTime) -> Duration? {
        guard let client, !client.isLoopback, trusted[client] == nil else { return nil }
        return Self.excess(clearAt[client], at: now)
    }

    /// Notes a right access token.
    mutating func noteRight(of client: ClientNetwork?, at now: MonotonicTime) {
        guard let client, !client.isLoopback else { return }
        if trusted[client] == nil, trusted.count >= Self.limit,
            let oldest = trusted.min(by: { $0.value < $1.value })?.key
        {
            trusted[oldest] = nil
        }
        trusted[client] = now
    }

    /// Notes a wrong access token.
    ///
    /// - Returns: How long the client should wait before it shows another; `nil` while it has not shown too many.
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
        // Those that are refused anyway do not count, or the wait would never end.
        if wait == nil { clearAt = max(clearAt ?? now, now) + forgetting }
        return wait
    }

    private static func excess(_ clearAt: MonotonicTime?, at now: MonotonicTime) -> Duration? {
        guard let clearAt else { return nil }
        let excess = (clearAt - now) - forgetting * (burst - 1)
        return excess > .zero ? excess : nil
    }
}
