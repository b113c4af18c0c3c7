public import LifetimeTracer

/// Finds the holder of an instance: the shortest chain of strong references from a root, or the cycle that keeps the
/// instance.
public enum RetainPaths {
    /// The current step of a search.
    public enum Progress: String, Sendable, CaseIterable {
        /// The layouts of types are read.
        case preparing
        /// The process is copied.
        case copying
        /// The heap of the copy is scanned.
        case walking
        /// The copy is searched for holders.
        case searching
        /// The names of the answer are resolved.
        case naming
    }

    /// Whether retain paths are available in this process, and if not, why.
    public enum Availability: Sendable, Hashable {
        /// They are available.
        case available
        /// They are not available, for a reason in words.
        case unavailable(reason: String)
    }

    /// The limits and settings of a search.
    public struct Options: LockedState {
        /// The processor time that the frozen copies may use before the search is given up.
        ///
        /// The search is also given up after 20 times this duration by the clock.
        public var timeout: Duration = .seconds(30)
        /// The memory that a frozen copy may allocate for itself, in bytes.
        public var memoryLimit = 1 << 30
        /// Leaks that someone has accepted.
        ///
        /// The report marks them as known.
        public var knownLeaks = KnownLeaks()
        /// Modules of libraries, in addition to those of the toolchain and of well-known packages.
        ///
        /// The default is the value of the environment variable `LIFETIME_TRACER_LIBRARY_MODULES`, separated by commas.
        ///
        /// A report never suggests giving up a reference that a library's type or closure holds, because users of a
        /// library do not edit the library.
        public var libraryModules = LibraryModules.ofEnvironment

        /// Creates the default settings.
        public init() {}
    }

    /// Whether retain paths are available.
    ///
    /// The first search or call runs a check on planted objects to find out.
    ///
    /// A temporary obstacle, such as an exhausted memory limit, is checked again at the next call.
    nonisolated(nonsending) public static func availability() async -> Availability {
        do {
            return try await onSearchThread { SelfCheck.availability($0) }
        } catch RetainPathsError.failed(let reason) {
            return .unavailable(reason: reason)
        } catch {
            return .unavailable(reason: "\(error)")
        }
    }

    /// Explains which references hold each of the given instances.
    ///
    /// The search does not stop the program: it copies the process, and the copy is a separate process that searches
    /// itself. Searches run one after the other.
    ///
    /// - Parameters:
    ///   - ids: The instances. If there are more than 4,096, they are searched in batches, and only instances of one
    ///     batch can be each other's culprits.
    ///   - registry: The registry in which the instances are recorded.
    ///   - options: The limits and settings.
    ///   - progress: Called on the search's own thread at the start of each step. The steps repeat if the process is
    ///     copied again because the search met new types.
    /// - Throws: ``RetainPathsError``, such as ``RetainPathsError/cancelled`` if the task is cancelled.
    nonisolated(nonsending) public static func explain(
        _ ids: [InstanceID], in registry: LifetimeRegistry = .shared, options: Options = Options(),
        progress: (@Sendable (Progress) -> Void)? = nil
    ) async throws(RetainPathsError) -> RetainReport {
        AskingTask.clearUnusedFrames()
        // All bits set is the inverse of a word that no instance carries.
        return try await explain(ids, options, progress, typeOfLive: registry.typeOfLive) {
            registry.carriedWords(of: ids).map { $0 ?? .max }
        }
    }

    /// Explains which references hold each of the given objects.
    ///
    /// The caller's own references count as strong references. Those in the frames of the requesting task are among the
    /// explained ones only if no other root holds the object. The search does not retain the objects. If an object dies
    /// during the search, the report says that the object is gone.
    ///
    /// An object is traced if it inherits from `TracedObject`, conforms to `Traced`, or has a `LifetimeToken`
    /// among its stored properties, which may be private.
    ///
    /// - Parameters:
    ///   - objects: The objects. If there are more than 4,096, they are searched in batches, and only objects of one
    ///     batch can be each other's culprits.
    ///   - registry: The registry of the objects that do not conform to `Traced`.
    ///   - options: The limits and settings.
    ///   - progress: See ``explain(_:in:options:progress:)``.
    /// - Throws: ``RetainPathsError``, such as ``RetainPathsError/notTraced(type:)``, or
    ///   ``RetainPathsError/cancelled`` if the task is cancelled.
    @_disfavoredOverload
    nonisolated(nonsending) public static func explain(
        _ objects: consuming [AnyObject], in registry: LifetimeRegistry = .current, options: Options = Options(),
        progress: (@Sendable (Progress) -> Void)? = nil
    ) async throws(RetainPathsError) -> RetainReport {
        AskingTask.clearUnusedFrames()
        let instances = try objects.map { object throws(RetainPathsError) in try TracedInstance(object, in: registry) }
        // From here on, only the caller holds the objects.
        _ = consume objects
        return try await explain(instances.map(\.id), options, progress, typeOfLive: registry.typeOfLive) {
            instances.map(\.word)
        }
    }

    /// - Parameters:
    ///   - typeOfLive: Returns the type of an instance that is still live.
    ///   - words: Returns the words that the instances carry, inverted.
    nonisolated(nonsending) private static func explain(
        _ ids: [InstanceID], _ options: Options, _ progress: (@Sendable (Progress) -> Void)?,
        typeOfLive: @escaping @Sendable (InstanceID) -> TypeName?,
        words: @escaping @Sendable () -> [UInt64]
    ) async throws(RetainPathsError) -> RetainReport {
        let askers = AskingTask.current.map { [$0] } ?? []
        do {
            return try await onSearchThread { isCancelled in
                let start = ContinuousClock.now
                let observer = SearchObserver(progress: progress ?? { _ in }, isCancelled: isCancelled)
                let answer = try checkedSearch(.carriedWords(words()), by: askers, options, observer)
                observer.progress(.naming)
                let today = SystemClock().wallNow().day
                var report = ExplanationWriter(
                    knownLeaks: options.knownLeaks, libraryModules: options.libraryModules, today: today,
                    typeOfLive: typeOfLive
                ).report(on: answer, of: ids)
                report.cost.total = ContinuousClock.now - start
                return report
            }
        } catch {
            throw RetainPathsError(error)
        }
    }

    /// Runs a closure on the search thread, which is started for it if necessary.
    ///
    /// - Throws: ``RetainPathsError`` if the system refuses a thread, `CancellationError`, or an error of the body.
    nonisolated(nonsending) static func onSearchThread<Result: Sendable>(
        _ body: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> Result
    ) async throws -> Result {
        #if os(Linux) && arch(x86_64) && canImport(Glibc)
        try await SearchThread.run(body)
        #else
        try body { Task.isCancelled }
        #endif
    }

    /// Runs the self-check if necessary and the search, on the search thread.
    ///
    /// Then checks that enough memory is left for the report.
    static func checkedSearch(
        _ targets: HeapQuestion.Targets, by askers: [AskingTask], _ options: Options, _ observer: SearchObserver
    ) throws -> HeapAnswer {
        let answer = try SelfCheck.search(targets, by: askers, options, observer)
        try HeapAnswer.demandRoom()
        return answer
    }
}
