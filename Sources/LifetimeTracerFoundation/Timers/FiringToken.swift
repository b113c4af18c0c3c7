import LifetimeTracer

/// What a timer calls: it holds the closure until the token is removed, and knows the token weakly, because the token holds
/// the timer.
final class FiringToken: LockedState {
    private struct State: LockedState {
        weak var token: ObserverToken?
        var body: Action?
    }

    private let isOneShot: Bool
    private let state: Locked<State>

    init(isOneShot: Bool, _ body: @escaping @Sendable () -> Void) {
        self.isOneShot = isOneShot
        state = Locked(State(body: Action(body)))
    }

    /// Says which token it is; called once, before the timer starts.
    func fill(_ token: ObserverToken) {
        state.withLock { $0.token = token }
    }

    /// Counts a firing and calls the closure, unless the token has been removed.
    ///
    /// A removal on another thread after that has been asked does not wait for the closure: this firing still ends.
    func fire() {
        let (token, body) = state.withLock { ($0.token, $0.body) }
        guard let token, let body else { return }
        token.recordDelivery()
        body()
        if isOneShot { token.remove() }
    }

    /// Lets go of the closure at once, not when the timer gets round to it.
    func end() {
        // Leaves the lock with this result, so that nothing that the closure captured goes under it.
        let body = state.withLock { state in
            defer { state.body = nil }
            return state.body
        }
        withExtendedLifetime(body) {}
    }
}
