import LifetimeTracer
import RetainPaths

/// A question that has no answer yet.
struct RetainJob: Sendable {
    /// The instance that was asked about.
    let instance: InstanceID
    /// When it was asked first.
    let askedAt: MonotonicTime
    /// When the search began; `nil` while it waits for another one to end.
    let startedAt: MonotonicTime?
    /// How far the search is.
    let progress: RetainPaths.Progress?
    /// How many instances are looked for in the same copy of the process.
    let together: Int
}

/// What is known of a question.
enum RetainAnswer: Sendable {
    case working(RetainJob)
    case found(RetainFinding)
    case failed(RetainPathsError)
}

/// There are as many questions as may wait for an answer.
struct TooManyRetainJobs: Error {
    let limit: Int
}
