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
    /// The census, the retained sizes and the leaks.
    let graph: HeapGraph

    /// The memory that the capture takes in the program, roughly.
    let size: Int

    init(id: Int, takenAt: MonotonicTime, graph: HeapGraph) {
        self.id = id
        self.takenAt = takenAt
        self.graph = graph
        size = Self.size(of: graph)
    }

    private static func size(of graph: HeapGraph) -> Int {
        let lines = graph.lines.reduce(64 * graph.keys.count) { $0 + 96 + $1.name.utf8.count + $1.type.utf8.count }
        let all = graph.retained.groups.reduce(lines) { $0 + 128 + $1.name.utf8.count + $1.type.utf8.count }
        return graph.leaks.all.reduce(all + size(of: graph.tasks)) { $0 + size(of: $1) }
    }

    /// The memory of Tasks, which share the texts of equal names.
    private static func size(of tasks: HeapGraph.Tasks) -> Int {
        var texts: Set<String> = []
        var size = 0
        for task in tasks.all {
            size += MemoryLayout<HeapGraph.Task>.stride + 3 * 32
            size += MemoryLayout<String>.stride * (task.functions.count + task.holds.count)
            size += MemoryLayout<Int>.stride * task.children.count
            texts.formUnion([task.name, task.label, task.awaits])
            texts.formUnion(task.functions)
            texts.formUnion(task.holds)
        }
        return texts.reduce(size) { $0 + 32 + $1.utf8.count }
    }

    private static func size(of leak: HeapGraph.Leak) -> Int {
        let texts = leak.name.utf8.count + leak.type.utf8.count + leak.signature.utf8.count
        let path = leak.path.reduce(0) { $0 + 64 + $1.name.utf8.count + $1.through.utf8.count }
        return 512 + texts + path + (leak.hint?.text.utf8.count ?? 0)
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
