public import LifetimeTracer

/// Finds out who holds an instance: the shortest chain of strong references from a root, or the cycle that keeps it.
public enum RetainPaths {
    /// How far a search has come.
    public enum Progress: String, Sendable, CaseIterable {
        case preparing, copying, walking, searching, naming
    }

    /// Whether retain paths can be had in this process, and if not, why.
    public enum Availability: Sendable, Hashable {
        case available
        case unavailable(reason: String)
    }

    /// Limits of a search.
    public struct Options: LockedState {
        /// The processor time after which a search is given up, of the copies of the process; at most 20 times as long by the clock.
        public var timeout: Duration = .seconds(30)
        /// The memory the copy may use for itself, in bytes.
        public var memoryLimit: UInt64 = 1 << 30
        /// Leaks that are not to be reported.
        public var knownLeaks = KnownLeaks()
        /// Modules of libraries beside those of the toolchain and of well-known packages; at first those in the environment variable
        /// `LIFETIME_TRACER_LIBRARY_MODULES`, separated by commas.
        ///
        /// What their types and closures hold is never told as the reference to give up, as whoever uses a library does not edit it.
        public var libraryModules = LibraryModules.ofEnvironment

        /// Creates the default limits.
        public init() {}
    }

    /// Whether retain paths can be had, by a check on objects of its own that runs at the first question.
    ///
    /// What is wrong for the moment alone, such as a limit of memory that was reached, is looked at again at the next call.
    nonisolated(nonsending) public static func availability() async -> Availability {
        do {
            return try await onSearchThread { SelfCheck.availability($0) }
        } catch RetainPathsError.failed(let reason) {
            return .unavailable(reason: reason)
        } catch {
            return .unavailable(reason: "\(error)")
        }
    }

    /// Explains who holds each of some instances.
    ///
    /// Does not stop the program: the process is copied, and the copy is searched by a process of its own. Searches take turns.
    ///
    /// - Parameters:
    ///   - ids: The instances; of more than 4,096 at once, only those that are searched together can be each other's culprits.
    ///   - registry: Where they were recorded.
    ///   - options: Limits.
    ///   - progress: Called on a thread of the search's own with each step that it comes to; again when the process is copied
    ///     once more, because types were met for the first time.
    /// - Throws: ``RetainPathsError``, or `CancellationError` when the task is cancelled.
    nonisolated(nonsending) public static func explain(
        _ ids: [InstanceID], in registry: LifetimeRegistry = .shared, options: Options = Options(),
        progress: (@Sendable (Progress) -> Void)? = nil
    ) async throws -> RetainReport {
        // All bits set is the inverse of a word that nothing carries.
        try await explain(ids, options, progress) { registry.carriedWords(of: ids).map { $0 ?? .max } }
    }

    /// Explains who holds each of some objects.
    ///
    /// For objects that are at hand; what holds them for the caller is among their holders. The objects themselves are not retained
    /// while the search goes on: of one that goes meanwhile it is told that it is gone.
    ///
    /// An object is traced if it inherits from ``TracedObject``, conforms to ``Traced``, or has a ``LifetimeToken`` among its stored
    /// properties, which may be private.
    ///
    /// - Parameters:
    ///   - objects: The objects; of more than 4,096 at once, only those that are searched together can be each other's culprits.
    ///   - registry: Where objects are recorded that do not conform to ``Traced``.
    ///   - options: Limits.
    ///   - progress: As in ``explain(_:in:options:progress:)``.
    /// - Throws: ``RetainPathsError``, ``RetainPathsError/notTraced(typeName:)`` among them, or `CancellationError` when the task is
    ///   cancelled.
    @_disfavoredOverload
    nonisolated(nonsending) public static func explain(
        _ objects: consuming [AnyObject], in registry: LifetimeRegistry = .current, options: Options = Options(),
        progress: (@Sendable (Progress) -> Void)? = nil
    ) async throws -> RetainReport {
        let instances = try objects.map { try TracedInstance($0, in: registry) }
        // From here on the caller alone holds them.
        _ = consume objects
        return try await explain(instances.map(\.id), options, progress) { instances.map(\.word) }
    }

    /// - Parameter words: What the instances carry, inverted.
    nonisolated(nonsending) private static func explain(
        _ ids: [InstanceID], _ options: Options, _ progress: (@Sendable (Progress) -> Void)?,
        words: @escaping @Sendable () -> [UInt64]
    ) async throws -> RetainReport {
        let askers = AskingTask.current.map { [$0] } ?? []
        return try await onSearchThread { isCancelled in
            let start = ContinuousClock.now
            let observer = SearchObserver(progress: progress ?? { _ in }, isCancelled: isCancelled)
            let answer = try checkedSearch(.carriedWords(words()), by: askers, options, observer)
            observer.progress(.naming)
            let today = CalendarDay(SystemClock().wallNow())
            var report = ExplanationWriter(
                knownLeaks: options.knownLeaks, libraryModules: options.libraryModules, today: today
            ).report(on: answer, of: ids)
            report.cost.setTotal(since: start)
            return report
        }
    }

    /// Does something on the thread of the searches, which is started for it.
    ///
    /// - Throws: ``RetainPathsError`` where the system refuses a thread, `CancellationError`, or what the body throws.
    nonisolated(nonsending) static func onSearchThread<Result: Sendable>(
        _ body: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> Result
    ) async throws -> Result {
        #if os(Linux) && arch(x86_64) && canImport(Glibc)
        try await SearchThread.run(body)
        #else
        try body { Task.isCancelled }
        #endif
    }

    /// Searches on the thread of the searches, after the check and with room for what follows.
    static func checkedSearch(
        _ targets: HeapQuestion.Targets, by askers: [AskingTask], _ options: Options, _ observer: SearchObserver
    ) throws -> HeapAnswer {
        let answer = try SelfCheck.search(targets, by: askers, options, observer)
        try HeapAnswer.demandRoom()
        return answer
    }
}
