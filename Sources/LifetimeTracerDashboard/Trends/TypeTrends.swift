import LifetimeTracer

/// The recent numbers of live instances by type, for small charts.
///
/// The object samples all types every ``stepSeconds``, because the registry's history names only the largest types. It
/// observes the registry for as long as the object lives. Memory is bounded: ``typeLimit`` types with ``Trend/length``
/// numbers each, 5 MB at most. Further types are counted as dropped.
final class TypeTrends: Sendable {
    /// The most types with a trend.
    static let typeLimit = 20_000
    /// The number of seconds between two samples.
    static let stepSeconds = 5

    private struct State: LockedState {
        var trends: [TypeName: Trend] = [:]
        var dropped = 0
        var nextSample: MonotonicTime?
        var observation: UInt64?
    }

    private let registry: LifetimeRegistry
    private let state = Locked(State())

    /// Creates the trends and starts to observe the registry.
    init(_ registry: LifetimeRegistry) {
        self.registry = registry
        let observation = registry.observeSamples { [weak self] in self?.sampleTaken() }
        state.withLock { $0.observation = observation }
    }

    deinit {
        if let observation = state.withLock({ $0.observation }) { registry.stopObservingSamples(observation) }
    }

    /// The number of types without room, each counted once per sample.
    var dropped: Int { state.withLock { $0.dropped } }

    /// The trends of all sampled types.
    var all: [TypeName: Trend] { state.withLock { $0.trends } }

    private func sampleTaken() {
        let now = registry.clock.now()
        let isDue = state.withLock { state in
            guard state.nextSample.map({ $0 <= now }) ?? true else { return false }
            state.nextSample = now + .seconds(Self.stepSeconds)
            return true
        }
        guard isDue else { return }
        let live = registry.summary(topTypes: .max).top
        state.withLock { state in
            let counts = Dictionary(live.map { ($0.type, $0.live) }, uniquingKeysWith: +)
            for type in state.trends.keys where counts[type] == nil { state.trends[type]?.append(0) }
            for (type, count) in counts {
                guard state.trends[type] != nil || state.trends.count < Self.typeLimit else {
                    state.dropped += 1
                    continue
                }
                state.trends[type, default: Trend()].append(count)
            }
        }
    }
}

/// The recent numbers of live instances of a type.
struct Trend: Sendable {
    /// The most numbers in a trend.
    static let length = 60

    /// The numbers, oldest first.
    private(set) var counts: [UInt32] = []

    mutating func append(_ count: Int) {
        if counts.count == Self.length { counts.removeFirst() }
        counts.append(UInt32(clamping: count))
    }
}
