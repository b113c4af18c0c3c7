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
    }

    private let state: Locked<State>
    private let sampling: PeriodicSampling

    /// Creates the history and starts to observe the registry.
    init(_ registry: LifetimeRegistry, usage: @escaping @Sendable (_ withHeap: Bool) -> ProcessUsage) {
        let state = Locked(State())
        self.state = state
        sampling = PeriodicSampling(registry, everySeconds: Self.stepSeconds) { now in
            let sample = ProcessSample(at: now, live: registry.summary(topTypes: 0).live, usage: usage(true))
            state.withLock { state in
                if state.samples.count == Self.length { state.samples.removeFirst() }
                state.samples.append(sample)
            }
        }
    }

    /// Returns the samples that were taken since a time, oldest first.
    func samples(since start: MonotonicTime) -> [ProcessSample] {
        state.withLock { $0.samples }.filter { $0.at >= start }
    }

    /// What is conspicuous in the last hour; `nil` if nothing is.
    var finding: MemoryFinding? { MemoryFinding(in: state.withLock { $0.samples }) }
}

/// The resources of the process and the number of live instances at one time.
struct ProcessSample: Sendable {
    let at: MonotonicTime
    let live: Int
    let usage: ProcessUsage

    /// The bytes of the heap in use, or the resident bytes where the allocator gives no figure.
    var bytes: Double? { usage.heapBytes ?? usage.residentBytes }
}
