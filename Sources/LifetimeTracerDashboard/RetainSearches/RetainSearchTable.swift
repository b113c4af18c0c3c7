import LifetimeTracer
import RetainPaths

/// What waits, what runs and what was found.
///
/// Not locked: state inside the lock of ``RetainSearches``.
struct RetainSearchTable: LockedState {
    /// A search that is to be made.
    struct Search: Sendable {
        let number: UInt64
        /// The instances that were asked about.
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
    private var dropped: UInt64 = 0
    /// In a child of `fork` nobody is left to end what was begun.
    private var process = ForkGeneration.current

    /// The answer, or how far it is; `nil` when there is no room for the question.
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

    /// Whether so many more can be asked.
    mutating func hasRoom(for ids: [InstanceID], at now: MonotonicTime) -> Bool {
        prepare(at: now)
        let new = ids.count { waiting[$0] == nil }
        guard jobCount + new <= RetainSearches.jobLimit else {
            dropped += UInt64(new)
            return false
        }
        return true
    }

    /// Takes all that waits into a search, unless one runs.
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

    /// Says whom to cancel should nobody ask any more.
    mutating func attach(_ task: Task<Void, Never>, to number: UInt64) {
        if running?.number == number { running?.task = task }
    }

    /// Says how many instances are looked for.
    mutating func look(for instances: Int, in number: UInt64) {
        if running?.number == number { running?.instances = instances }
    }

    /// Says how far it is.
    mutating func note(_ progress: RetainPaths.Progress, in number: UInt64) {
        if running?.number == number { running?.progress = progress }
    }

    /// The search that runs, if nobody asks for it any more.
    func abandoned(at now: MonotonicTime) -> Task<Void, Never>? {
        guard let running, running.questions.values.allSatisfy({ now - $0.lastAskedAt > RetainSearches.patience })
        else {
            return nil
        }
        return running.task
    }

    /// Ends a search and keeps what it found.
    mutating func end(_ search: Search, _ result: Result<RetainReport, any Error>, at now: MonotonicTime) {
        guard running?.number == search.number else { return }
        running = nil
        switch result {
        case .success(let report):
            for (id, finding) in RetainFinding.all(in: report, at: now) {
                kept[id] = Kept(outcome: .success(finding), at: now)
            }
        case .failure(is CancellationError):
            break
        case .failure(let error):
            let known = error as? RetainPathsError ?? .failed(reason: "\(error)")
            for id in search.ids { kept[id] = Kept(outcome: .failure(known), at: now) }
        }
        makeRoom(sparing: search.ids)
    }

    /// The answers that are kept.
    func findings(at now: MonotonicTime) -> [InstanceID: RetainFinding] {
        guard process == .current else { return [:] }
        return kept.compactMapValues { kept in
            kept.isOld(at: now) ? nil : try? kept.outcome.get()
        }
    }

    /// The numbers at a glance.
    var overview: RetainSearches.Overview {
        let isOwn = process == .current
        let running = isOwn ? running : nil
        return RetainSearches.Overview(
            running: running.map {
                RetainSearches.Running(startedAt: $0.startedAt, instances: $0.instances, progress: $0.progress)
            },
            waiting: isOwn ? waiting.count : 0, dropped: dropped)
    }

    /// Says that all questions are still asked.
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

    /// Lets go of the oldest answers past the limit; what was asked for just now goes last.
    private mutating func makeRoom(sparing ids: [InstanceID]) {
        let surplus = kept.count - RetainSearches.keptLimit
        guard surplus > 0 else { return }
        let spared = Set(ids)
        let rank = { (id: InstanceID, kept: Kept) in (spared.contains(id) ? 1 : 0, kept.at, id) }
        let oldest = kept.sorted { rank($0.key, $0.value) < rank($1.key, $1.value) }
        for (id, _) in oldest.prefix(surplus) { kept[id] = nil }
        dropped += UInt64(surplus)
    }
}
