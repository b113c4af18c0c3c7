import LifetimeTracer
import RetainPaths

/// The question for what holds the objects of a type.
struct HeapPathQuestion: Sendable, Hashable {
    /// The number of the capture.
    let capture: Int
    /// The name or the type of a line of the capture.
    let type: String
    /// The kind of the line; `nil` for any.
    let kind: HeapGraph.Line.Kind?
    /// The most objects to examine.
    let sample: Int
}

/// A search for what holds the objects of a type.
struct HeapPathJob: Sendable {
    /// The time of the request.
    let startedAt: MonotonicTime
    /// The current step; `nil` until the search reports progress.
    var progress: RetainPaths.Progress?
}

/// The result of such a search.
struct HeapPathFinding: Sendable {
    /// The time at which the search ended.
    let foundAt: MonotonicTime
    let paths: HeapGraph.Paths
}

/// The state of a question.
enum HeapPathAnswer: Sendable {
    case working(HeapPathJob)
    case found(HeapPathFinding)
    case failed(RetainPathsError)
}
