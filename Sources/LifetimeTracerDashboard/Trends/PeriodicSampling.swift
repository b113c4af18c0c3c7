import LifetimeTracer

/// Calls a closure every few seconds, on the registry's thread after one of its samples, for as long as the object
/// lives.
final class PeriodicSampling: Sendable {
    private struct State: LockedState {
        var next: MonotonicTime?
        var observation: UInt64?
    }

    private let registry: LifetimeRegistry
    private let seconds: Int
    private let take: @Sendable (MonotonicTime) -> Void
    private let state = Locked(State())

    /// Starts to observe the registry.
    ///
    /// - Parameter take: Takes a sample at the given time. It must not retain this object.
    init(
        _ registry: LifetimeRegistry, everySeconds seconds: Int, _ take: @escaping @Sendable (MonotonicTime) -> Void
    ) {
        self.registry = registry
        self.seconds = seconds
        self.take = take
        let observation = registry.observeSamples { [weak self] in self?.sampleTaken() }
        state.withLock { $0.observation = observation }
    }

    deinit {
        if let observation = state.withLock({ $0.observation }) { registry.stopObservingSamples(observation) }
    }

    private func sampleTaken() {
        let now = registry.clock.now()
        let isDue = state.withLock { state in
            guard state.next.map({ $0 <= now }) ?? true else { return false }
            state.next = now + .seconds(seconds)
            return true
        }
        if isDue { take(now) }
    }
}
