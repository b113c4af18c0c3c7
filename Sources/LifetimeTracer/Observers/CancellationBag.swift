/// Holds observer tokens and removes all of them when it goes.
///
/// Keep one in the object that the tokens are for: a reactor, a view model. A request whose token is in the bag is cancelled
/// with its owner. All methods can be called from any thread.
public final class CancellationBag: Sendable {
    private struct State: LockedState {
        var tokens: [ObserverToken] = []
        var isCancelled = false
        // The size at which those that have ended are looked for; doubles with what is left.
        var sweepAt = 16
    }

    private let state = Locked(State())

    /// Creates an empty bag.
    public init() {}

    deinit {
        cancelAll()
    }

    /// The tokens in the bag that are in force.
    public var count: Int {
        state.withLock { $0.tokens }.count { $0.isInForce }
    }

    /// Puts a token into the bag.
    ///
    /// A bag that has been cancelled removes it at once.
    ///
    /// Tokens that have been removed otherwise leave the bag from time to time.
    public func insert(_ token: ObserverToken) {
        let (isCancelled, isFull) = state.withLock { state in
            guard !state.isCancelled else { return (true, false) }
            state.tokens.append(token)
            return (false, state.tokens.count >= state.sweepAt)
        }
        if isCancelled { token.remove() }
        if isFull { sweep() }
    }

    /// Lets go of the tokens that have ended.
    private func sweep() {
        // Outside the lock: a token has a lock of its own, and what goes with one may come back here.
        let ended = Set(state.withLock { $0.tokens }.lazy.filter { !$0.isInForce }.map { ObjectIdentifier($0) })
        let swept = state.withLock { state in
            let swept = state.tokens.filter { ended.contains(ObjectIdentifier($0)) }
            state.tokens.removeAll { ended.contains(ObjectIdentifier($0)) }
            state.sweepAt = max(16, 2 * state.tokens.count)
            return swept
        }
        withExtendedLifetime(swept) {}
    }

    /// Removes all tokens, those put in first in front, and those that are put in from now on at once.
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
    /// Puts the token into a bag, which holds it from now on.
    public func store(in bag: CancellationBag) {
        bag.insert(self)
    }
}
