/// What fills the heap of this process: a census of all blocks of memory, by type.
///
/// A census covers every Swift object, traced or not, and also the memory of C. The program needs no preparation. It is
/// taken in a frozen copy of the process, like a search for retain paths.
public struct HeapGraph: Sendable {
    /// The lines of the census, those with the most bytes first.
    ///
    /// The sum of their bytes is what malloc has given out, plus what malloc keeps for itself.
    public let lines: [Line]
    /// The cost of the census.
    public internal(set) var cost: RetainCost

    /// Creates a heap graph from its parts.
    package init(lines: [Line], cost: RetainCost) {
        self.lines = lines
        self.cost = cost
    }

    /// The blocks of all lines.
    public var count: Int { lines.reduce(0) { $0 + $1.count } }
    /// The bytes of all lines.
    public var bytes: Int { lines.reduce(0) { $0 + $1.bytes } }

    /// The line of blocks that were counted but not examined; `nil` if the memory limit sufficed for all blocks.
    public var leftOut: Line? { lines.first { $0.kind == .leftOut } }

    /// Counts all objects and other blocks of the heap by type.
    ///
    /// The census does not stop the program: it copies the process, and the copy counts its own heap. It waits until
    /// earlier searches have ended. If the heap has so many blocks that a list of them takes more than half of
    /// `options.memoryLimit`, the remaining blocks are counted as ``Line/Kind/leftOut``.
    ///
    /// - Parameters:
    ///   - options: The limits, and the modules of libraries. The known leaks are not used.
    ///   - progress: Called at the start of each step, on the thread that searches. The steps repeat if the process is
    ///     copied again because the census met new types.
    /// - Throws: ``RetainPathsError``, such as ``RetainPathsError/cancelled`` if the task is cancelled.
    nonisolated(nonsending) public static func capture(
        options: RetainPaths.Options = RetainPaths.Options(),
        progress: (@Sendable (RetainPaths.Progress) -> Void)? = nil
    ) async throws(RetainPathsError) -> HeapGraph {
        do {
            return try await RetainPaths.onSearchThread { isCancelled in
                let start = ContinuousClock.now
                let observer = SearchObserver(progress: progress ?? { _ in }, isCancelled: isCancelled)
                // Without targets, this only makes sure that the self-check has succeeded.
                _ = try RetainPaths.checkedSearch(.carriedWords([]), by: [], options, observer)
                let census = try Census.take(options, observer)
                observer.progress(.naming)
                let naming = LineNaming(names: .process, libraryModules: options.libraryModules)
                var graph = HeapGraph(lines: naming.lines(census.lines), cost: census.cost)
                graph.cost.total = ContinuousClock.now - start
                return graph
            }
        } catch {
            throw RetainPathsError(error)
        }
    }
}
