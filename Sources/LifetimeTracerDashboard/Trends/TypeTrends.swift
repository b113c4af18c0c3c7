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

        /// Adds the numbers of live instances at one time.
        mutating func append(_ counts: [TypeName: Int]) {
            for type in trends.keys where counts[type] == nil { trends[type]?.append(0) }
            for (type, count) in counts {
                guard trends[type] != nil || trends.count < TypeTrends.typeLimit else {
                    dropped += 1
                    continue
                }
                trends[type, default: Trend()].append(count)
            }
        }
    }

    private let state: Locked<State>
    private let sampling: PeriodicSampling

    /// Creates the trends and starts to observe the registry.
    init(_ registry: LifetimeRegistry) {
        let state = Locked(State())
        self.state = state
        sampling = PeriodicSampling(registry, everySeconds: Self.stepSeconds) { _ in
            let counts = registry.liveCounts()
            state.withLock { $0.append(counts) }
        }
    }

    /// The number of types without room, each counted once per sample.
    var dropped: Int { state.withLock { $0.dropped } }

    /// The trends of all sampled types.
    var all: [TypeName: Trend] { state.withLock { $0.trends } }
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
