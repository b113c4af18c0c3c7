import LifetimeTracer

/// The resources that the process used in the last hour, beside the number of live instances.
///
/// The object takes a sample every ``stepSeconds``. It observes the registry for as long as the object lives. Memory is
/// bounded by ``length`` samples, about 100 KB.
final class ProcessHistory: Sendable {
    /// The number of seconds between two samples.
    static let stepSeconds = 5
    /// The most samples: those of an hour.
    static let length = 3600 / stepSeconds

    private struct State: LockedState {
        /// The samples, oldest first.
        var samples: [ProcessSample] = []
        var nextSample: MonotonicTime?
        var observation: UInt64?
    }

    private let registry: LifetimeRegistry
    private let usage: @Sendable () -> ProcessUsage
    private let state = Locked(State())

    /// Creates the history and starts to observe the registry.
    init(_ registry: LifetimeRegistry, usage: @escaping @Sendable () -> ProcessUsage) {
        self.registry = registry
        self.usage = usage
        let observation = registry.observeSamples { [weak self] in self?.sampleTaken() }
        state.withLock { $0.observation = observation }
    }

    deinit {
        if let observation = state.withLock({ $0.observation }) { registry.stopObservingSamples(observation) }
    }

    /// Returns the samples that were taken since a time, oldest first.
    func samples(since start: MonotonicTime) -> [ProcessSample] {
        state.withLock { $0.samples }.filter { $0.at >= start }
    }

    /// What is conspicuous in the last hour; `nil` if nothing is.
    var finding: MemoryFinding? { MemoryFinding(in: state.withLock { $0.samples }) }

    private func sampleTaken() {
        let now = registry.clock.now()
        let isDue = state.withLock { state in
            guard state.nextSample.map({ $0 <= now }) ?? true else { return false }
            state.nextSample = now + .seconds(Self.stepSeconds)
            return true
        }
        guard isDue else { return }
        let sample = ProcessSample(at: now, live: registry.summary(topTypes: 0).live, usage: usage())
        state.withLock { state in
            if state.samples.count == Self.length { state.samples.removeFirst() }
            state.samples.append(sample)
        }
    }
}

/// The resources of the process and the number of live instances at one time.
struct ProcessSample: Sendable {
    let at: MonotonicTime
    let live: Int
    let usage: ProcessUsage

    /// The bytes of the heap in use, or the resident bytes where the allocator gives no figure.
    var bytes: Double? { usage.heapBytes ?? usage.residentBytes }
}
