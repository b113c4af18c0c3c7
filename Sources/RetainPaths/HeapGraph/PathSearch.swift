import CRetainPaths
import LifetimeTracer
import TracerBase

extension HeapGraph {
    /// The number of objects of a type whose holders are searched for, if a search does not set it.
    public static let usualSample = 1_024
    /// The most objects of a type whose holders one search can find.
    public static let largestSample = Int(RP_MAX_TARGETS)

    /// Searches for the holders of the objects of a type, and groups the objects by what holds them.
    ///
    /// A capture keeps no objects, only the types of its lines. Therefore the search makes a new copy of the process,
    /// and its result is about the objects at the time of the search. It works like a search for the retain path of an
    /// instance, and waits until earlier searches have ended.
    ///
    /// - Parameters:
    ///   - type: The name or the type of a line, exactly as the capture states it. If several lines have the name, the
    ///     search concerns the objects of all of them.
    ///   - kind: The kind of the lines; `nil` for any.
    ///   - sample: The most objects whose holders are searched for, at most ``largestSample``. If there are more
    ///     objects, those of the sample are spread evenly over the heap. If the objects are on very large cycles, fewer
    ///     are examined, but at least 16.
    ///   - options: The limits, and the modules of libraries.
    ///   - progress: See ``capture(options:progress:)``.
    /// - Throws: ``RetainPathsError``, such as ``RetainPathsError/unknownType(_:)``.
    nonisolated(nonsending) public func paths(
        to type: String, kind: Line.Kind? = nil, sample: Int = Self.usualSample,
        options: RetainPaths.Options = RetainPaths.Options(),
        progress: (@Sendable (RetainPaths.Progress) -> Void)? = nil
    ) async throws(RetainPathsError) -> Paths {
        AskingTask.clearUnusedFrames()
        let found = lines(named: type, kind: kind)
        let wanted = found.flatMap { keys.keys(of: $0) }
        guard !wanted.isEmpty else { throw .unknownType(type) }
        let sample = min(max(1, sample), Self.largestSample)
        return try await Self.search { isCancelled, askers in
            let start = ContinuousClock.now
            let observer = SearchObserver(progress: progress ?? { _ in }, isCancelled: isCancelled)
            _ = try RetainPaths.checkedSearch(.carriedWords([]), by: [], options, observer)
            let answer = try Self.answer(wanted, sample: sample, options, by: askers, observer)
            observer.progress(.naming)
            let naming = LineNaming(names: .process, libraryModules: options.libraryModules)
            let grouping = PathGrouping(lines: naming, keys: wanted, libraryModules: options.libraryModules)
            var paths = Paths(
                lines: found, count: answer.blocksOfLines,
                examined: answer.findings.count { $0.status != .notExamined },
                groups: grouping.groups(answer, name: found[0].name), cost: answer.cost)
            paths.cost.total = ContinuousClock.now - start
            return paths
        }
    }

    /// Searches on the calling thread, which must be the search thread.
    private static func answer(
        _ keys: [LineKey], sample: Int, _ options: RetainPaths.Options, by askers: [AskingTask],
        _ observer: SearchObserver
    ) throws -> HeapAnswer {
        #if os(Linux) && arch(x86_64) && canImport(Glibc)
        var question = HeapQuestion(
            targets: .addresses([]), askers: askers, timeout: options.timeout, memoryLimit: options.memoryLimit)
        question.lines = keys
        question.sample = sample
        var search = try HeapSearch(question, observer: observer)
        var budget = SearchBudget(options.timeout)
        let answer = try search.run(within: &budget)
        try HeapAnswer.demandRoom()
        return answer
        #else
        throw RetainPathsError.unavailable(reason: ProcessTraits.obstacle ?? "this system is not supported.")
        #endif
    }
}
