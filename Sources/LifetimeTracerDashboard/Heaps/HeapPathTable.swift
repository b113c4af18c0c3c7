import LifetimeTracer
import RetainPaths

/// The running searches for what holds the objects of a type, and the last results.
///
/// Not synchronized: ``HeapPathSearches`` keeps the table inside its lock.
struct HeapPathTable: LockedState {
    private var running: [HeapPathQuestion: HeapPathJob] = [:]
    /// Oldest first.
    private var ended: [(question: HeapPathQuestion, answer: HeapPathAnswer)] = []
    /// The process in which the table was filled; see ``HeapTable``.
    private var process = ForkGeneration.current

    /// What a request must do.
    enum Step {
        case tell(HeapPathAnswer)
        /// Start the search.
        case start(HeapPathJob)
        /// Refuse, because too many searches are running.
        case refuse
    }

    /// The answer to a question, or the start of a search for it.
    ///
    /// - Parameter afresh: Whether to search again although a result is kept.
    mutating func ask(_ question: HeapPathQuestion, afresh: Bool, at now: MonotonicTime) -> Step {
        if process != .current { self = Self() }
        if let job = running[question] { return .tell(.working(job)) }
        if !afresh, let known = ended.first(where: { $0.question == question }) { return .tell(known.answer) }
        guard running.count < HeapPathSearches.jobLimit else { return .refuse }
        ended.removeAll { $0.question == question }
        let job = HeapPathJob(startedAt: now)
        running[question] = job
        return .start(job)
    }

    /// Stores the progress of a search.
    mutating func note(_ progress: RetainPaths.Progress, of question: HeapPathQuestion) {
        running[question]?.progress = progress
    }

    /// Ends a search and keeps its answer; the oldest answers above the limit are dropped.
    mutating func end(_ question: HeapPathQuestion, _ answer: HeapPathAnswer) {
        guard running.removeValue(forKey: question) != nil else { return }
        ended.append((question, answer))
        if ended.count > HeapPathSearches.keptLimit { ended.removeFirst() }
    }
}
