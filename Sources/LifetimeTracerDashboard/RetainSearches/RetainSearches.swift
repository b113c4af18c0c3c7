import LifetimeTracer
import RetainPaths

/// The questions for retain paths, and the answers.
///
/// One search runs at a time. Questions that arrive during a search wait and are answered together by the next search,
/// in one frozen copy of the process. Each search also includes overdue instances, because one instance may hold
/// another. A search runs only on request, and is cancelled when no client polls for its questions any more. The table
/// contains only ids and texts, so it holds no traced object.
final class RetainSearches: Sendable {
    /// The most questions that wait or are being answered.
    static let jobLimit = 500
    /// The most results that are kept.
    static let keptLimit = 500
    /// The most overdue instances that a search includes besides the requested ones.
    static let companionLimit = 100
    /// The time for which a result is kept.
    static let keptFor = Duration.seconds(300)
    /// The time for which a failure is kept: long enough for the polling clients to receive it.
    static let failureKeptFor = Duration.seconds(10)
    /// The time after its last poll at which a question counts as abandoned.
    static let patience = Duration.seconds(15)

    /// The state of all searches.
    struct Overview: Sendable {
        /// The running search.
        let running: Running?
        /// The number of questions that wait for the next search.
        let waiting: Int
        /// The number of refused questions, plus results that were dropped in favour of newer ones.
        let dropped: Int
    }

    /// A running search.
    struct Running: Sendable {
        let startedAt: MonotonicTime
        let instances: Int
        let progress: RetainPaths.Progress?
    }

    private let registry: LifetimeRegistry
    private let explainer: RetainExplainer
    private let state = Locked(RetainSearchTable())

    init(_ registry: LifetimeRegistry, _ explainer: RetainExplainer) {
        self.registry = registry
        self.explainer = explainer
    }

    /// Returns the answer to the question why an instance is live, or the progress of the search.
    ///
    /// Starts a search if none is running. Never waits for a search.
    ///
    /// - Parameter afresh: Whether to search again although a result is kept or the running search includes the
    ///   instance.
    func ask(about id: InstanceID, afresh: Bool) throws(TooManyRetainJobs) -> RetainAnswer {
        let now = registry.clock.now()
        let answer = state.withLock { $0.ask(about: id, afresh: afresh, at: now) }
        startIfIdle()
        guard let answer else { throw TooManyRetainJobs(limit: Self.jobLimit) }
        return answer
    }

    /// Asks about several instances afresh, all in one search.
    func ask(about ids: [InstanceID]) throws(TooManyRetainJobs) {
        let now = registry.clock.now()
        let fits = state.withLock { state in
            guard state.hasRoom(for: ids, at: now) else { return false }
            for id in ids { _ = state.ask(about: id, afresh: true, at: now) }
            return true
        }
        startIfIdle()
        guard fits else { throw TooManyRetainJobs(limit: Self.jobLimit) }
    }

    /// The results that are kept and not expired, without failures.
    var findings: [InstanceID: RetainFinding] {
        let now = registry.clock.now()
        return state.withLock { $0.findings(at: now) }
    }

    /// The state of all searches.
    ///
    /// Reading it does not count as a poll.
    var overview: Overview {
        state.withLock { $0.overview }
    }

    /// Counts as a poll for all pending questions.
    func keepGoing() {
        let now = registry.clock.now()
        state.withLock { $0.keepGoing(at: now) }
        startIfIdle()
    }

    private func startIfIdle() {
        let now = registry.clock.now()
        // Cancelled outside the lock, because cancelling a task runs the task's cancellation handlers.
        let (search, abandoned) = state.withLock { ($0.begin(at: now), $0.abandoned(at: now)) }
        abandoned?.cancel()
        guard let search else { return }
        do throws(RetainPathsError) {
            // The search does not run on the threads that tasks share: Dispatch blocks while the system refuses another
            // such thread.
            let task = try SearchExecutor.shared.detach { [self] in await run(search) }
            state.withLock { $0.attach(task, to: search.number) }
        } catch {
            state.withLock { $0.end(search, .failure(error), at: now) }
        }
    }

    private func run(_ search: RetainSearchTable.Search) async {
        let ids = search.ids + companions(of: search.ids)
        state.withLock { $0.look(for: ids.count, in: search.number) }
        let result: Result<RetainReport, any Error>
        do {
            result = .success(
                try await explainer.explain(ids, registry) { [weak self] progress in
                    self?.note(progress, in: search.number)
                })
        } catch {
            result = .failure(error)
        }
        let now = registry.clock.now()
        state.withLock { $0.end(search, result, at: now) }
        startIfIdle()
    }

    private func note(_ progress: RetainPaths.Progress, in search: UInt64) {
        let now = registry.clock.now()
        state.withLock { state in
            state.note(progress, in: search)
            return state.abandoned(at: now)
        }?.cancel()
    }

    /// Returns further overdue instances to include in the search, longest overdue first.
    private func companions(of ids: [InstanceID]) -> [InstanceID] {
        let asked = Set(ids)
        var seen: Set<InstanceID> = []
        return registry.snapshot().deadlines.filter { $0.isOverdue && !asked.contains($0.instance) }
            .sorted { ($0.due, $0.instance) < ($1.due, $1.instance) }
            .map(\.instance).filter { seen.insert($0).inserted }
            .prefix(Self.companionLimit).map(\.self)
    }
}
