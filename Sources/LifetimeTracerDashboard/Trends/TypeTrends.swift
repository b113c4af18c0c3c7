import LifetimeTracer

/// How many instances of each type were live over the last minutes.
///
/// A sample of all types every few seconds, for small charts; the history of the registry names the largest types alone. It listens
/// to the registry for as long as it lives. Bounded: ``typeLimit`` types of ``Trend/length`` numbers, 5 MB at most; types beyond are
/// counted.
final class TypeTrends: Sendable {
    /// The most types with a trend.
    static let typeLimit = 20_000
    /// Seconds between two samples.
    static let stepSeconds = 5

    private struct State: LockedState {
        var trends: [TypeName: Trend] = [:]
        var dropped: UInt64 = 0
        var nextSample: MonotonicTime?
        var observation: UInt64?
    }

    private let registry: LifetimeRegistry
    private let state = Locked(State())

    /// Starts listening.
    init(_ registry: LifetimeRegistry) {
        self.registry = registry
        let observation = registry.observeSamples { [weak self] in self?.sampleTaken() }
        state.withLock { $0.observation = observation }
    }

    deinit {
        if let observation = state.withLock({ $0.observation }) { registry.stopObservingSamples(observation) }
    }

    /// Types that had no room, each counted once a sample.
    var dropped: UInt64 { state.withLock { $0.dropped } }

    /// The trends of all types so far.
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

/// The last numbers of live instances of a type.
struct Trend: Sendable {
    /// The most numbers that are kept.
    static let length = 60
    /// Fewer samples say nothing of growth.
    private static let fewest = 4

    /// The numbers, oldest first.
    private(set) var counts: [UInt32] = []

    /// Whether the number never fell, and rose more than once and in the later half.
    ///
    /// What leaks looks so; so does a cache that is being filled.
    var isGrowing: Bool {
        guard counts.count >= Self.fewest else { return false }
        let steps = zip(counts, counts.dropFirst())
        return steps.allSatisfy { $0 <= $1 } && steps.count { $0 < $1 } > 1
            && counts[counts.count / 2 - 1] < counts[counts.count - 1]
    }

    mutating func append(_ count: UInt64) {
        if counts.count == Self.length { counts.removeFirst() }
        counts.append(UInt32(clamping: count))
    }
}
