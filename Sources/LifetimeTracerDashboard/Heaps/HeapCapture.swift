import LifetimeTracer
import RetainPaths

/// A capture that is kept.
struct HeapCapture: Sendable {
    /// The number of the capture.
    ///
    /// Each capture has the next number, and no number is used again.
    let id: Int
    /// The time at which the capture ended.
    let takenAt: MonotonicTime
    /// The census.
    let graph: HeapGraph

    /// The memory that the capture takes in the program, roughly.
    var size: Int {
        graph.lines.reduce(0) { $0 + 96 + $1.name.utf8.count + $1.type.utf8.count }
    }
}

/// A capture that is being made.
struct HeapJob: Sendable {
    /// The number of the capture.
    let id: Int
    /// The time of the request.
    let startedAt: MonotonicTime
    /// The current step; `nil` until the capture reports progress.
    var progress: RetainPaths.Progress?
}

/// The state of a capture with a given number.
enum HeapState: Sendable {
    case running(HeapJob)
    case kept(HeapCapture)
    case failed(RetainPathsError)
    case cancelled
    /// Newer captures have taken its place, or a client has dropped it.
    case dropped
    /// No capture has had that number yet.
    case unknown
}
