import LifetimeTracer
import RetainPaths

/// The running capture and the kept ones.
///
/// Not synchronized: ``HeapCaptures`` keeps the table inside its lock.
struct HeapTable: LockedState {
    private var running: HeapJob?
    private var task: Task<Void, Never>?
    /// Whether a client has cancelled the running capture.
    private var isCancelled = false
    /// Oldest first.
    private(set) var kept: [HeapCapture] = []
    /// How the last captures ended that have no result, oldest first.
    private var ended: [(id: Int, error: RetainPathsError)] = []
    private var lastID = 0
    private(set) var dropped = 0
    /// The process in which the table was filled.
    ///
    /// A child of `fork` lacks the thread that made the capture, so the table starts empty there.
    private var process = ForkGeneration.current

    /// Begins a capture; `nil` if one is running.
    mutating func begin(at now: MonotonicTime) -> HeapJob? {
        prepare()
        guard running == nil else { return nil }
        lastID += 1
        let job = HeapJob(id: lastID, startedAt: now)
        isCancelled = false
        running = job
        return job
    }

    /// The running capture.
    mutating func current() -> HeapJob? {
        prepare()
        return running
    }

    /// Stores the task of a capture, so that a client can cancel the capture.
    ///
    /// Returns whether a client has done so already.
    mutating func attach(_ task: Task<Void, Never>, to id: Int) -> Bool {
        guard running?.id == id else { return false }
        self.task = task
        return isCancelled
    }

    /// Stores the progress of a capture.
    mutating func note(_ progress: RetainPaths.Progress, in id: Int) {
        if running?.id == id { running?.progress = progress }
    }

    /// Ends a capture and keeps its result.
    mutating func end(_ id: Int, _ result: Result<HeapGraph, any Error>, at now: MonotonicTime) {
        guard running?.id == id else { return }
        running = nil
        task = nil
        switch result {
        case .success(let graph):
            kept.append(HeapCapture(id: id, takenAt: now, graph: graph))
            makeRoom()
        case .failure(let error):
            let known = error as? RetainPathsError ?? .failed(reason: "\(error)")
            ended.append((id, error is CancellationError ? .cancelled : known))
            if ended.count > HeapCaptures.keptLimit { ended.removeFirst() }
        }
    }

    /// The state of a capture.
    mutating func state(of id: Int) -> HeapState {
        prepare()
        if let running, running.id == id { return .running(running) }
        if let capture = kept.first(where: { $0.id == id }) { return .kept(capture) }
        if let end = ended.first(where: { $0.id == id }) {
            return end.error == .cancelled ? .cancelled : .failed(end.error)
        }
        return (1...max(1, lastID)).contains(id) && lastID > 0 ? .dropped : .unknown
    }

    /// Drops a kept capture, or returns the task of the running one, which the caller cancels outside the lock.
    mutating func drop(_ id: Int) -> Task<Void, Never>? {
        prepare()
        if running?.id == id {
            isCancelled = true
            return task
        }
        kept.removeAll { $0.id == id }
        return nil
    }

    private mutating func prepare() {
        if process != .current { self = Self() }
    }

    /// Drops the oldest captures above the limits.
    ///
    /// The newest capture always stays.
    private mutating func makeRoom() {
        while kept.count > 1, kept.count > HeapCaptures.keptLimit || size > HeapCaptures.byteLimit {
            kept.removeFirst()
            dropped += 1
        }
    }

    private var size: Int { kept.reduce(0) { $0 + $1.size } }
}
