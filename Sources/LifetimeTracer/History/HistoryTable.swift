/// The counts of a registry at one moment.
package struct HistorySample: Sendable {
    /// The time of the sample.
    package let at: MonotonicTime
    /// The number of live instances.
    package let live: Int
    /// The number of births so far.
    package let born: Int
    /// The number of deaths so far.
    package let died: Int
    /// The number of tokens in force.
    package let tokens: Int
    /// The number of overdue instances.
    package let overdue: Int
    /// The number of live instances of the types that have the most.
    package var top: [TypeName: Int] { Dictionary(uniqueKeysWithValues: zip(topTypes, topCounts)) }

    /// The types in ``top``, by name.
    package let topTypes: [TypeName]
    /// The number of live instances of each of ``topTypes``.
    package let topCounts: [Int]

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
    var observers = ObserverList<Action>()

    private var interval = Duration.seconds(1)

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
}
