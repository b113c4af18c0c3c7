/// The counts of a registry at one moment.
public struct HistorySample: Sendable {
    /// The time of the sample.
    public let at: MonotonicTime
    /// The number of live instances.
    public let live: UInt64
    /// The number of births so far.
    public let born: UInt64
    /// The number of deaths so far.
    public let died: UInt64
    /// The number of tokens in force.
    public let tokens: UInt64
    /// The number of overdue instances.
    public let overdue: Int
    /// The number of live instances of the types that have the most.
    public var top: [TypeName: UInt64] { Dictionary(uniqueKeysWithValues: zip(topTypes, topCounts)) }

    /// The types in ``top``, by name.
    package let topTypes: [TypeName]
    /// The number of live instances of each of ``topTypes``.
    package let topCounts: [UInt64]

    /// The most types in a sample.
    package static let typesPerSample = 16
}

/// The history of a registry: a bounded ring of samples.
///
/// Has no lock of its own: state inside a lock of ``LifetimeRegistry``.
struct HistoryTable: LockedState {
    private(set) var samples: Ring<HistorySample>
    /// When the next sample is due; `nil` while no history is kept.
    private(set) var nextSample: MonotonicTime?
    private(set) var observers: [UInt64: Action] = [:]

    private var interval = Duration.seconds(1)
    private var lastObserver: UInt64 = 0

    init(limit: Int) {
        samples = Ring(limit: limit)
    }

    mutating func start(at now: MonotonicTime) {
        guard nextSample == nil else { return }
        nextSample = now
    }

    mutating func append(_ sample: HistorySample) {
        samples.append(sample)
        // Counted from the due time, so that the schedule does not drift; counted from now if that time was missed by a
        // whole interval.
        let next = (nextSample ?? sample.at) + interval
        nextSample = next > sample.at ? next : sample.at + interval
    }

    mutating func addObserver(_ observer: Action) -> UInt64 {
        lastObserver += 1
        observers[lastObserver] = observer
        return lastObserver
    }

    /// Removes an observer.
    ///
    /// - Returns: The observer, which the caller must release outside the lock because its captures may be released
    ///   with it.
    mutating func removeObserver(_ key: UInt64) -> Action? {
        observers.removeValue(forKey: key)
    }
}

extension LifetimeRegistry {
    /// Starts a history: one sample a second, ``RegistryConfiguration/historyLimit`` at most.
    public func startHistory() {
        let now = clock.now()
        history.withLock { $0.start(at: now) }
        thread.wake(by: now)
    }

    /// Returns the samples since a point in time, oldest first.
    public func historySamples(since time: MonotonicTime = MonotonicTime(nanoseconds: 0)) -> [HistorySample] {
        history.withLock { $0.samples.elements }.filter { $0.at >= time }
    }

    /// Calls `body` on the tracer's thread after each sample.
    ///
    /// - Returns: A key for ``stopObservingSamples(_:)``.
    package func observeSamples(_ body: @escaping @Sendable () -> Void) -> UInt64 {
        history.withLock { $0.addObserver(Action(body)) }
    }

    /// Removes an observer of samples.
    package func stopObservingSamples(_ key: UInt64) {
        _ = history.withLock { $0.removeObserver(key) }
    }

    func recordSample(_ counters: InstanceStore.Counters, at now: MonotonicTime) {
        let most = counters.types.filter { $0.live > 0 }.sorted { $0.live > $1.live }
            .prefix(HistorySample.typesPerSample)
        let top = Dictionary(most.map { ($0.name, $0.live) }, uniquingKeysWith: +)
            .sorted { $0.key.qualified < $1.key.qualified }
        let previous = history.withLock { $0.samples.newest }
        let sample = HistorySample(
            at: now, live: counters.live, born: counters.born, died: counters.died,
            tokens: tokens.withLock { $0.groups.values.reduce(0) { $0 + $1.inForce } },
            overdue: deadlines.withLock { $0.overdueInstanceCount },
            topTypes: Self.reused(previous?.topTypes, if: top.map(\.key)),
            topCounts: Self.reused(previous?.topCounts, if: top.map(\.value)))
        let observers = history.withLock { history in
            history.append(sample)
            return history.observers.values.map { $0 }
        }
        for observer in observers { observer() }
    }

    /// Returns the elements of an earlier sample if they are the same, so that both samples share their memory.
    private static func reused<Element: Equatable>(_ earlier: [Element]?, if elements: [Element]) -> [Element] {
        guard let earlier, earlier == elements else { return elements }
        return earlier
    }
}
