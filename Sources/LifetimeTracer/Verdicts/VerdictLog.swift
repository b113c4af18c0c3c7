/// The verdicts of a registry: the last ones, those still to be delivered, and who wants them.
///
/// Not locked: state inside a lock of ``LifetimeRegistry``.
struct VerdictLog: LockedState {
    /// The last verdicts, for those who come late.
    private(set) var recent: Ring<Verdict>
    /// Verdicts that waited too long for their observers.
    private(set) var undelivered: UInt64 = 0
    /// How many verdicts there were, by kind and type.
    private(set) var counts = VerdictCounts()

    /// The process in which a delivery is under way: a child of `fork` does not have the thread that was about it.
    private var deliversIn: ForkGeneration?
    private var queue: [Verdict] = []
    /// The batch that is being delivered; the verdicts before ``delivering`` have been delivered.
    private var batch: [Verdict] = []
    private var delivering = 0
    /// When the observers were given the verdict that is being delivered.
    private var deliveringSince: MonotonicTime?
    private var lastDelivery: MonotonicTime?
    private var observers: [UInt64: VerdictObserver] = [:]
    private var lastVerdict: UInt64 = 0
    private var lastObserver: UInt64 = 0

    /// The most verdicts that wait for delivery.
    static let queueLimit = 10_000

    init(limit: Int) {
        recent = Ring(limit: limit)
    }

    /// How many want each verdict.
    var observerCount: Int { observers.count }

    /// Numbers the verdicts and queues them for delivery.
    mutating func append(_ verdicts: [Verdict]) {
        for var verdict in verdicts {
            lastVerdict += 1
            verdict.id = lastVerdict
            recent.append(verdict)
            counts.add(verdict)
            guard !observers.isEmpty else { continue }
            if queue.count < Self.queueLimit { queue.append(verdict) } else { undelivered += 1 }
        }
    }

    /// Begins a delivery, unless one is under way.
    mutating func beginDelivery() -> Bool {
        let process = ForkGeneration.current
        guard deliversIn != process else { return false }
        deliversIn = process
        batch = []
        delivering = 0
        deliveringSince = nil
        return true
    }

    mutating func endDelivery() {
        deliversIn = nil
        batch = []
        deliveringSince = nil
    }

    /// Takes what is to be delivered, and to whom.
    mutating func takeBatch() -> (verdicts: [Verdict], observers: [VerdictObserver])? {
        guard !queue.isEmpty else { return nil }
        batch = queue
        queue = []
        return (batch, observers.sorted { $0.key < $1.key }.map(\.value))
    }

    /// Notes that the observers are given the verdict at this position of the batch.
    mutating func beginVerdict(_ position: Int, at now: MonotonicTime) {
        delivering = position
        deliveringSince = now
    }

    /// Notes that the last observer has returned from a verdict.
    mutating func endVerdict(at now: MonotonicTime) {
        delivering += 1
        deliveringSince = nil
        lastDelivery = now
    }

    /// How the delivery of verdicts stands.
    var delivery: VerdictDelivery {
        // A delivery that was under way during a `fork` has vanished in the child, together with its thread.
        let isHere = deliversIn == .current
        let rest = isHere ? batch.dropFirst(delivering) : []
        return VerdictDelivery(
            waiting: rest.count + queue.count, oldestWaiting: (rest.first ?? queue.first)?.at,
            observerSince: isHere ? deliveringSince : nil, lastAt: lastDelivery, dropped: undelivered)
    }

    mutating func addObserver(_ observer: VerdictObserver) -> UInt64 {
        lastObserver += 1
        observers[lastObserver] = observer
        return lastObserver
    }

    /// Ends an observation.
    ///
    /// - Returns: The observer, to be let go outside the lock: what its closure captured may go with it.
    mutating func removeObserver(_ id: UInt64) -> VerdictObserver? {
        observers.removeValue(forKey: id)
    }
}
