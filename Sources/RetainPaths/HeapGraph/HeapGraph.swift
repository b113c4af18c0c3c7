import LifetimeTracer
import TracerBase

/// What fills the heap of this process: a census of all blocks of memory, by type, what keeps them, and the leaks.
///
/// A census covers every Swift object, traced or not, and also the memory of C. The program needs no preparation. It is
/// taken in a frozen copy of the process, like a search for retain paths.
public struct HeapGraph: Sendable {
    /// The lines of the census, those with the most bytes first.
    ///
    /// The sum of their bytes is what malloc has given out, plus what malloc keeps for itself.
    public let lines: [Line]
    /// The objects that no root reaches and nobody is using.
    public let leaks: Leaks
    /// The objects that roots reach, by the root that keeps them.
    public let retained: RetainedSizes
    /// The Tasks that have not ended.
    public let tasks: Tasks
    /// The cost of the census.
    public internal(set) var cost: RetainCost
    /// The types of the lines, by which a later search finds their blocks.
    package let keys: LineKeys

    /// Creates a heap graph from its parts.
    package init(
        lines: [Line], keys: LineKeys = LineKeys(), leaks: Leaks = Leaks(), retained: RetainedSizes = RetainedSizes(),
        tasks: Tasks = Tasks(), cost: RetainCost
    ) {
        self.tasks = tasks
        self.lines = lines
        self.keys = keys
        self.leaks = leaks
        self.retained = retained
        self.cost = cost
    }

    /// The blocks of all lines.
    public var count: Int { lines.reduce(0) { $0 + $1.count } }
    /// The bytes of all lines.
    public var bytes: Int { lines.reduce(0) { $0 + $1.bytes } }

    /// The line of blocks that were counted but not examined; `nil` if the memory limit sufficed for all blocks.
    public var leftOut: Line? { lines.first { $0.kind == .leftOut } }

    /// Counts all objects and other blocks of the heap by type, computes what keeps them, and finds the leaks.
    ///
    /// The capture does not stop the program: it copies the process, and the copy counts its own heap. It waits until
    /// earlier searches have ended. If the heap has so many blocks that a list of them takes more than half of
    /// `options.memoryLimit`, the remaining blocks are counted as ``Line/Kind/leftOut``. If the limits do not suffice
    /// for the search for leaks or for retained sizes, ``Leaks/obstacle`` or ``RetainedSizes/obstacle`` says so.
    ///
    /// - Parameters:
    ///   - options: The limits, and the modules of libraries. The known leaks are marked.
    ///   - progress: Called at the start of each step, on the thread that searches. The steps repeat if the process is
    ///     copied again because the census met new types.
    /// - Throws: ``RetainPathsError``, such as ``RetainPathsError/cancelled`` if the task is cancelled.
    nonisolated(nonsending) public static func capture(
        options: RetainPaths.Options = RetainPaths.Options(),
        progress: (@Sendable (RetainPaths.Progress) -> Void)? = nil
    ) async throws(RetainPathsError) -> HeapGraph {
        AskingTask.clearUnusedFrames()
        return try await search { isCancelled, askers in
            let start = ContinuousClock.now
            let observer = SearchObserver(progress: progress ?? { _ in }, isCancelled: isCancelled)
            // Without targets, this only makes sure that the self-check has succeeded.
            _ = try RetainPaths.checkedSearch(.carriedWords([]), by: [], options, observer)
            var budget = SearchBudget(options.timeout)
            guard let memory = RetainedMemory(), let tasks = TaskMemory() else {
                let error = SystemError.last
                throw RetainPathsError.failed(
                    reason: "not enough memory for the result: \(error). \(ProcessLimits.reason(for: error))")
            }
            let taskObstacle = SelfCheck.taskObstacle
            let leaks = try LeakSearch.run(
                options, by: askers, within: &budget, observer, retained: memory,
                tasks: taskObstacle == nil ? tasks : nil)
            let census = try Census(memory, leaks.cost) ?? Census.take(options, observer)
            observer.progress(.naming)
            let naming = LineNaming(names: .process, libraryModules: options.libraryModules)
            let leakNaming = LeakNaming(lines: naming, options: options, today: SystemClock().wallNow().day)
            let (lines, keys) = naming.lines(census.lines)
            var taskNaming = TaskNaming(lines: naming)
            var graph = HeapGraph(
                lines: lines, keys: keys, leaks: leakNaming.leaks(leaks),
                retained: RetainedNaming(lines: naming).sizes(
                    memory, threads: leaks.threadNumbers, obstacle: leaks.obstacle),
                tasks: taskNaming.tasks(tasks, obstacle: taskObstacle ?? leaks.obstacle),
                cost: census.cost)
            graph.cost.total = ContinuousClock.now - start
            return graph
        }
    }

    /// Finds the leaks of the heap, without the census.
    ///
    /// Works like ``capture(options:progress:)``, and costs less, because nothing is counted by type.
    nonisolated(nonsending) public static func findLeaks(
        options: RetainPaths.Options = RetainPaths.Options(),
        progress: (@Sendable (RetainPaths.Progress) -> Void)? = nil
    ) async throws(RetainPathsError) -> Leaks {
        AskingTask.clearUnusedFrames()
        return try await search { isCancelled, askers in
            let observer = SearchObserver(progress: progress ?? { _ in }, isCancelled: isCancelled)
            _ = try RetainPaths.checkedSearch(.carriedWords([]), by: [], options, observer)
            var budget = SearchBudget(options.timeout)
            let leaks = try LeakSearch.run(options, by: askers, within: &budget, observer)
            observer.progress(.naming)
            let naming = LineNaming(names: .process, libraryModules: options.libraryModules)
            return LeakNaming(lines: naming, options: options, today: SystemClock().wallNow().day).leaks(leaks)
        }
    }

    /// Runs a search on the search thread, and passes the calling task to it.
    nonisolated(nonsending) static func search<Result: Sendable>(
        _ body: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool, _ by: [AskingTask]) throws -> Result
    ) async throws(RetainPathsError) -> Result {
        let askers = AskingTask.current.map { [$0] } ?? []
        do {
            return try await RetainPaths.onSearchThread { isCancelled in try body(isCancelled, askers) }
        } catch {
            throw RetainPathsError(error)
        }
    }
}
