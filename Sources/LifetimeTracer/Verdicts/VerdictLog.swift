/// The verdicts of a registry: the most recent ones, the delivery queue, and the observers.
///
/// Has no lock of its own: state inside a lock of ``LifetimeRegistry``.
struct VerdictLog: LockedState {
    /// The most recent verdicts, for later queries.
    private(set) var recent: Ring<Verdict>
    /// The number of verdicts that were not delivered because the queue was full.
    private(set) var undelivered = 0
    /// The number of verdicts by kind and type.
    private(set) var counts = VerdictCounts()
    var observers = ObserverList<VerdictObserver>()

    /// The process in which a delivery is in progress: a fork child does not have the thread that delivers.
    private var deliversIn: ForkGeneration?
    private var queue: [Verdict] = []
    /// The batch in delivery; the verdicts before ``delivering`` have been delivered.
    private var batch: [Verdict] = []
    private var delivering = 0
    /// When the delivery of the current verdict began.
    private var deliveringSince: MonotonicTime?
    private var lastDelivery: MonotonicTime?
    private var lastVerdict: UInt64 = 0

    /// The most verdicts that await delivery.
    static let queueLimit = 10_000

    init(limit: Int) {
        recent = Ring(limit: limit)
    }

    /// Numbers the verdicts and queues them for delivery.
    mutating func append(_ verdicts: [Verdict]) {
        for var verdict in verdicts {
            lastVerdict += 1
            verdict.id = lastVerdict
            recent.append(verdict)
            counts.add(verdict)
            guard observers.count > 0 else { continue }
            if queue.count < Self.queueLimit { queue.append(verdict) } else { undelivered += 1 }
        }
    }

    /// Begins a delivery, unless one is in progress.
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

    /// Takes the queued verdicts, and returns them with their observers.
    mutating func takeBatch() -> (verdicts: [Verdict], observers: [VerdictObserver])? {
        guard !queue.isEmpty else { return nil }
        batch = queue
        queue = []
        return (batch, observers.all)
    }

    /// Records that the delivery of the verdict at this position of the batch begins.
    mutating func beginVerdict(_ position: Int, at now: MonotonicTime) {
        delivering = position
        deliveringSince = now
    }

    /// Records that the last observer has returned from a verdict.
    mutating func endVerdict(at now: MonotonicTime) {
        delivering += 1
        deliveringSince = nil
        lastDelivery = now
    }

    /// The state of the delivery of verdicts.
    var delivery: VerdictDelivery {
        // A delivery that was in progress during a `fork` does not exist in the child, because its thread does not.
        let isHere = deliversIn == .current
        let rest = isHere ? batch.dropFirst(delivering) : []
        return VerdictDelivery(
            waiting: rest.count + queue.count, oldestWaiting: (rest.first ?? queue.first)?.at,
            observerSince: isHere ? deliveringSince : nil, lastAt: lastDelivery, dropped: undelivered)
    }
}
