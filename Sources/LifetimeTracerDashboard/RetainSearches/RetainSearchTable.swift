import LifetimeTracer
import RetainPaths

/// The pending questions, the running search and the kept results.
///
/// Not synchronized: ``RetainSearches`` keeps the table inside its lock.
struct RetainSearchTable: LockedState {
    /// A search to run.
    struct Search: Sendable {
        let number: UInt64
        /// The instances that clients asked about.
        let ids: [InstanceID]
    }

    private struct Question: Sendable {
        let askedAt: MonotonicTime
        var lastAskedAt: MonotonicTime
    }

    private struct Running: Sendable {
        let number: UInt64
        let startedAt: MonotonicTime
        var questions: [InstanceID: Question]
        var instances: Int
        var progress: RetainPaths.Progress?
        var task: Task<Void, Never>?
    }

    private struct Kept: Sendable {
        let outcome: Result<RetainFinding, RetainPathsError>
        let at: MonotonicTime

        func isOld(at now: MonotonicTime) -> Bool {
            let limit =
                switch outcome {
                case .success: RetainSearches.keptFor
                case .failure: RetainSearches.failureKeptFor
                }
            return now - at > limit
        }
    }

    private var waiting: [InstanceID: Question] = [:]
    private var running: Running?
    private var kept: [InstanceID: Kept] = [:]
    private var lastNumber: UInt64 = 0
    private var dropped = 0
    /// The process in which the table was filled.
    ///
    /// A child of `fork` lacks the thread that ran the search, so the table starts empty there.
    private var process = ForkGeneration.current

    /// Returns the answer, or the progress of the search; `nil` if the table has no room for the question.
    mutating func ask(about id: InstanceID, afresh: Bool, at now: MonotonicTime) -> RetainAnswer? {
        prepare(at: now)
        if waiting[id] != nil {
            waiting[id]?.lastAskedAt = now
        } else if !afresh, running?.questions[id] != nil {
            running?.questions[id]?.lastAskedAt = now
        } else if !afresh, let kept = kept[id] {
            switch kept.outcome {
            case .success(let finding): return .found(finding)
            case .failure(let error): return .failed(error)
            }
        } else {
            guard jobCount < RetainSearches.jobLimit else {
                dropped += 1
                return nil
            }
            waiting[id] = Question(askedAt: now, lastAskedAt: now)
        }
        return job(id).map(RetainAnswer.working)
    }

    /// Returns whether the table has room for all these questions; if not, counts them as dropped.
    mutating func hasRoom(for ids: [InstanceID], at now: MonotonicTime) -> Bool {
        prepare(at: now)
        let new = ids.count { waiting[$0] == nil }
        guard jobCount + new <= RetainSearches.jobLimit else {
            dropped += new
            return false
        }
        return true
    }

    /// Moves all waiting questions into a new search, unless a search is running.
    mutating func begin(at now: MonotonicTime) -> Search? {
        prepare(at: now)
        guard running == nil else { return nil }
        waiting = waiting.filter { now - $0.value.lastAskedAt <= RetainSearches.patience }
        guard !waiting.isEmpty else { return nil }
        lastNumber += 1
        running = Running(number: lastNumber, startedAt: now, questions: waiting, instances: waiting.count)
        waiting = [:]
        return Search(number: lastNumber, ids: running?.questions.keys.sorted() ?? [])
    }

    /// Stores the task of a search, so that the task can be cancelled once no client polls for the search.
    mutating func attach(_ task: Task<Void, Never>, to number: UInt64) {
        if running?.number == number { running?.task = task }
    }

    /// Stores the number of instances in a search.
    mutating func look(for instances: Int, in number: UInt64) {
        if running?.number == number { running?.instances = instances }
    }

    /// Stores the progress of a search.
    mutating func note(_ progress: RetainPaths.Progress, in number: UInt64) {
        if running?.number == number { running?.progress = progress }
    }

    /// The task of the running search, if no client polls for any of its questions any more.
    func abandoned(at now: MonotonicTime) -> Task<Void, Never>? {
        guard let running, running.questions.values.allSatisfy({ now - $0.lastAskedAt > RetainSearches.patience })
        else {
            return nil
        }
        return running.task
    }

    /// Ends a search and keeps its results.
    mutating func end(_ search: Search, _ result: Result<RetainReport, any Error>, at now: MonotonicTime) {
        guard running?.number == search.number else { return }
        running = nil
        switch result {
        case .success(let report):
            for (id, finding) in RetainFinding.all(in: report, at: now) {
                kept[id] = Kept(outcome: .success(finding), at: now)
            }
        case .failure(is CancellationError), .failure(RetainPathsError.cancelled):
            break
        case .failure(let error):
            let known = error as? RetainPathsError ?? .failed(reason: "\(error)")
            for id in search.ids { kept[id] = Kept(outcome: .failure(known), at: now) }
        }
        makeRoom(sparing: search.ids)
    }

    /// The results that are kept and not expired, without failures.
    func findings(at now: MonotonicTime) -> [InstanceID: RetainFinding] {
        guard process == .current else { return [:] }
        return kept.compactMapValues { kept in
            kept.isOld(at: now) ? nil : try? kept.outcome.get()
        }
    }

    /// The overview of the table.
    var overview: RetainSearches.Overview {
        let isOwn = process == .current
        let running = isOwn ? running : nil
        return RetainSearches.Overview(
            running: running.map {
                RetainSearches.Running(startedAt: $0.startedAt, instances: $0.instances, progress: $0.progress)
            },
            waiting: isOwn ? waiting.count : 0, dropped: dropped)
    }

    /// Treats all questions as polled now.
    mutating func keepGoing(at now: MonotonicTime) {
        prepare(at: now)
        for id in waiting.keys { waiting[id]?.lastAskedAt = now }
        for id in running?.questions.keys.map(\.self) ?? [] { running?.questions[id]?.lastAskedAt = now }
    }

    private var jobCount: Int { waiting.count + (running?.questions.count ?? 0) }

    private func job(_ id: InstanceID) -> RetainJob? {
        if let question = waiting[id] {
            return RetainJob(
                instance: id, askedAt: question.askedAt, startedAt: nil, progress: nil, together: waiting.count)
        }
        guard let running, let question = running.questions[id] else { return nil }
        return RetainJob(
            instance: id, askedAt: question.askedAt, startedAt: running.startedAt, progress: running.progress,
            together: running.instances)
    }

    private mutating func prepare(at now: MonotonicTime) {
        if process != .current { self = Self() }
        kept = kept.filter { !$0.value.isOld(at: now) }
    }

    /// Drops the oldest results above the limit.
    ///
    /// Results of the search that just ended are dropped last.
    private mutating func makeRoom(sparing ids: [InstanceID]) {
        let surplus = kept.count - RetainSearches.keptLimit
        guard surplus > 0 else { return }
        let spared = Set(ids)
        let rank = { (id: InstanceID, kept: Kept) in (spared.contains(id) ? 1 : 0, kept.at, id) }
        let oldest = kept.sorted { rank($0.key, $0.value) < rank($1.key, $1.value) }
        for (id, _) in oldest.prefix(surplus) { kept[id] = nil }
        dropped += surplus
    }
}
