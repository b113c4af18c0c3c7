import LifetimeTracer

/// Receives a timer's firings, and holds the closure until the token is removed.
///
/// Holds the token weakly, because the token holds the timer.
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

    /// Sets the token; called once, before the timer starts.
    func fill(_ token: ObserverToken) {
        state.withLock { $0.token = token }
    }

    /// Counts a firing and calls the closure, unless the token has been removed.
    ///
    /// A removal on another thread after that check does not wait for the closure, so this firing still completes.
    func fire() {
        let (token, body) = state.withLock { ($0.token, $0.body) }
        guard let token, let body else { return }
        token.recordDelivery()
        body()
        if isOneShot { token.remove() }
    }

    /// Releases the closure at once, and not only when the timer releases this object.
    func end() {
        // The result carries the closure out of the lock, so that its captures are not released under it.
        let body = state.withLock { state in
            defer { state.body = nil }
            return state.body
        }
        withExtendedLifetime(body) {}
    }
}
