/// Holds observer tokens and removes all of them when it is deallocated.
///
/// Keep a bag in the object that owns the tokens, such as a reactor or a view model. A request whose token is in the
/// bag is cancelled together with its owner. All methods can be called from any thread.
public final class CancellationBag: Sendable {
    private struct State: LockedState {
        var tokens: [ObserverToken] = []
        var isCancelled = false
        // The size at which ended tokens are swept; doubles with the number of remaining tokens.
        var sweepAt = 16
    }

    private let state = Locked(State())

    /// Creates an empty bag.
    public init() {}

    deinit {
        cancelAll()
    }

    /// The number of tokens in the bag that are in force.
    public var count: Int {
        state.withLock { $0.tokens }.count { $0.isInForce }
    }

    /// Puts a token into the bag.
    ///
    /// A cancelled bag removes the token at once. Tokens that have been removed in another way leave the bag from time
    /// to time.
    public func insert(_ token: ObserverToken) {
        let (isCancelled, isFull) = state.withLock { state in
            guard !state.isCancelled else { return (true, false) }
            state.tokens.append(token)
            return (false, state.tokens.count >= state.sweepAt)
        }
        if isCancelled { token.remove() }
        if isFull { sweep() }
    }

    /// Releases the tokens that have ended.
    private func sweep() {
        // Outside the lock: a token has a lock of its own, and releasing it can run code that calls this bag.
        let ended = Set(state.withLock { $0.tokens }.lazy.filter { !$0.isInForce }.map { ObjectIdentifier($0) })
        let swept = state.withLock { state in
            let swept = state.tokens.filter { ended.contains(ObjectIdentifier($0)) }
            state.tokens.removeAll { ended.contains(ObjectIdentifier($0)) }
            state.sweepAt = max(16, 2 * state.tokens.count)
            return swept
        }
        withExtendedLifetime(swept) {}
    }

    /// Removes all tokens in the order of their insertion; tokens inserted later are removed at once.
    public func cancelAll() {
        let tokens = state.withLock { state in
            state.isCancelled = true
            defer { state.tokens = [] }
            return state.tokens
        }
        for token in tokens { token.remove() }
    }
}

extension ObserverToken {
    /// Puts the token into a bag, which holds it from then on.
    public func store(in bag: CancellationBag) {
        bag.insert(self)
    }
}
