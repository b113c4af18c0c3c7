import LifetimeTracer
import RetainPaths

/// The questions who holds what, and the answers.
///
/// One search runs at a time. What is asked meanwhile waits and is then answered together, from one copy of the process; instances
/// that are overdue are looked for in the same copy, because one of them may hold the other. Nothing runs unless somebody asks, and what
/// nobody asks for any more is given up. Nothing here is held but ids and texts.
final class RetainSearches: Sendable {
    /// The most questions that wait or are being answered.
    static let jobLimit = 500
    /// The most answers that are kept.
    static let keptLimit = 500
    /// The most overdue instances that are looked for beside those that were asked about.
    static let companionLimit = 100
    /// How long an answer is kept.
    static let keptFor = Duration.seconds(300)
    /// How long a failure is kept: long enough for those who wait for the answer to hear of it.
    static let failureKeptFor = Duration.seconds(10)
    /// Who has not asked for so long is not waiting any more.
    static let patience = Duration.seconds(15)

    /// The numbers at a glance.
    struct Overview: Sendable {
        /// The search that runs.
        let running: Running?
        /// Questions that wait for the next one.
        let waiting: Int
        /// Questions that were refused, and answers that made room for newer ones.
        let dropped: UInt64
    }

    /// A search that runs.
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

    /// Asks who holds an instance, and returns the answer if there is one, else how far it is.
    ///
    /// Waits for nothing.
    ///
    /// - Parameter afresh: Whether an answer that is there already does not count.
    func ask(about id: InstanceID, afresh: Bool) throws(TooManyRetainJobs) -> RetainAnswer {
        let now = registry.clock.now()
        let answer = state.withLock { $0.ask(about: id, afresh: afresh, at: now) }
        startIfIdle()
        guard let answer else { throw TooManyRetainJobs(limit: Self.jobLimit) }
        return answer
    }

    /// Asks about several instances at once, afresh; they are looked for in one copy of the process.
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

    /// The answers that are kept.
    var findings: [InstanceID: RetainFinding] {
        let now = registry.clock.now()
        return state.withLock { $0.findings(at: now) }
    }

    /// How far it all is, without asking for anything.
    var overview: Overview {
        state.withLock { $0.overview }
    }

    /// Says that somebody still waits for all that was asked.
    func keepGoing() {
        let now = registry.clock.now()
        state.withLock { $0.keepGoing(at: now) }
        startIfIdle()
    }

    private func startIfIdle() {
        let now = registry.clock.now()
        // Cancelled outside the lock, as that runs what others have put there.
        let (search, abandoned) = state.withLock { ($0.begin(at: now), $0.abandoned(at: now)) }
        abandoned?.cancel()
        guard let search else { return }
        do throws(RetainPathsError) {
            // Not on the threads that all tasks share: where the system refuses another one, they are waited for.
            let hold = try SearchExecutor.shared.hold()
            let task = Task.detached(executorPreference: SearchExecutor.shared) { [self] in
                await run(search)
                withExtendedLifetime(hold) {}
            }
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

    /// The other overdue instances, those that have been for longest.
    private func companions(of ids: [InstanceID]) -> [InstanceID] {
        let asked = Set(ids)
        var seen: Set<InstanceID> = []
        return registry.snapshot().deadlines.filter { $0.isOverdue && !asked.contains($0.instance) }
            .sorted { ($0.due, $0.instance) < ($1.due, $1.instance) }
            .map(\.instance).filter { seen.insert($0).inserted }
            .prefix(Self.companionLimit).map(\.self)
    }
}
