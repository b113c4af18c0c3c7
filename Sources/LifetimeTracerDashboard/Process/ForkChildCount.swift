import LifetimeTracer

/// The number of fork children of this process, which is determined once a second.
final class ForkChildCount: Sendable {
    private struct State: LockedState {
        var count = 0
    }

    private let state: Locked<State>
    private let sampling: PeriodicSampling

    /// Starts to observe the registry.
    init(_ registry: LifetimeRegistry) {
        let state = Locked(State())
        self.state = state
        sampling = PeriodicSampling(registry, everySeconds: 1) { _ in
            let count = ForkChildren.running().count
            state.withLock { $0.count = count }
        }
    }

    /// The number of children at the last look.
    var current: Int { state.withLock { $0.count } }
}
