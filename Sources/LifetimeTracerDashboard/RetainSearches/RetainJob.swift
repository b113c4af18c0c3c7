import LifetimeTracer
import RetainPaths

/// A question that has no answer yet.
struct RetainJob: Sendable {
    /// The instance in question.
    let instance: InstanceID
    /// The time of the first request for this instance.
    let askedAt: MonotonicTime
    /// The time at which the search began; `nil` while the question waits for the running search to end.
    let startedAt: MonotonicTime?
    /// The progress of the search; `nil` until the search reports progress.
    let progress: RetainPaths.Progress?
    /// The number of instances in the same search.
    let together: Int
}

/// The state of a question.
enum RetainAnswer: Sendable {
    case working(RetainJob)
    case found(RetainFinding)
    case failed(RetainPathsError)
}

/// The error for a question above the limit of pending questions.
struct TooManyRetainJobs: Error {
    let limit: Int
}
