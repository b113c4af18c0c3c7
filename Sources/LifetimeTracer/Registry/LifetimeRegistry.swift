import CLifetimeRuntime

/// Records births, deaths, observer tokens and deadlines, and reaches verdicts on them.
///
/// An object's registry is chosen at birth: the registry that is current for the calling task
/// (``withCurrent(_:)``), or else ``shared``. All methods can be called from any thread. Each table of the
/// registry has its own lock, and no user code runs under any of the locks. A registry reaches its verdicts on a thread
/// of its own, which starts when it is first needed.
public final class LifetimeRegistry: Sendable, InstanceStoreOwner {
    /// The registry of all objects that are born outside the scope of another registry.
    public static let shared = LifetimeRegistry(
        clock: SystemClock(), configuration: RegistryConfiguration(), isShared: true)

    /// The registry of the calling task's scope, else ``shared``.
    public static var current: LifetimeRegistry { TracingScope.current?.registry ?? shared }

    /// Returns the registry of the instance that carries a handle; the shared one if tracing was off at the birth.
    static func registry(of handle: lt_handle) -> LifetimeRegistry {
        guard let owner = InstanceStore.scopedOwner(of: handle) else { return shared }
        // Safe: registries own all stores, so each owner is a registry.
        return unsafeDowncast(owner, to: LifetimeRegistry.self)
    }

    /// The limits and delays of the registry.
    public let configuration: RegistryConfiguration
    /// The clock of the registry.
    public let clock: any TracerClock
    /// The time at which the registry was created.
    public let startedAt: MonotonicTime

    let store: InstanceStore
    let annotations = Locked(Annotations())
    let deathActions = Locked(DeathActions())
    let tokens: Locked<TokenTable>
    let deadlines: Locked<DeadlineTable>
    let budgets = Locked(BudgetTable())
    let invariants = Locked(InvariantTable())
    let ageLimits = Locked(AgeLimitTable())
    let ruleTable = Locked(RuleTable())
    let growthTable: Locked<GrowthTable>
    let verdicts: Locked<VerdictLog>
    let marks: Locked<MarkTable>
    let history: Locked<HistoryTable>
    let thread: TracerThread

    private let startedAtWall: WallTime

    /// Creates a registry.
    ///
    /// - Parameters:
    ///   - clock: The clock of the registry.
    ///   - configuration: The limits and delays; the initializer traps if a value is out of range.
    public convenience init(
        clock: any TracerClock = SystemClock(), configuration: RegistryConfiguration = RegistryConfiguration()
    ) {
        self.init(clock: clock, configuration: configuration, isShared: false)
    }

    private init(clock: any TracerClock, configuration: RegistryConfiguration, isShared: Bool) {
        configuration.requireSense()
        self.clock = clock
        self.configuration = configuration
        startedAt = clock.now()
        startedAtWall = clock.wallNow()
        var limits = InstanceStore.Limits()
        limits.instances = configuration.instanceLimit
        limits.rememberedDeaths = configuration.rememberedDeathLimit
        store = InstanceStore(clock: clock, limits: limits, isShared: isShared)
        tokens = Locked(
            TokenTable(
                limit: configuration.tokenLimit, grace: configuration.orphanGrace,
                defaultThreshold: configuration.tokenThreshold))
        deadlines = Locked(DeadlineTable(limit: configuration.deadlineLimit, lateLimit: configuration.lateLimit))
        verdicts = Locked(VerdictLog(limit: configuration.verdictLimit))
        marks = Locked(MarkTable(limit: configuration.markLimit))
        growthTable = Locked(GrowthTable(start: startedAt))
        history = Locked(HistoryTable(limit: configuration.historyLimit))
        thread = TracerThread(clock: clock)
        store.setOwner(self)
        thread.prepare { [weak self] in self?.evaluate() ?? .exit }
    }

    deinit {
        thread.stop()
    }

    /// Makes this the current registry for all objects that are born inside `body` on this thread.
    ///
    /// - Throws: The error of `body`.
    public func withCurrent<Value>(_ body: () throws -> Value) rethrows -> Value {
        // Not with a typed error: a task-local value does not pass on its type, and the closures that would are frames
        // in the creation stacks of all objects that are born inside.
        lt_begin_own_scope()
        defer { lt_end_own_scope() }
        return try TracingScope.$current.withValue(TracingScope(self), operation: body)
    }

    /// Makes this the current registry for all objects that are born inside `body`, in this task and its child tasks.
    ///
    /// - Throws: The error of `body`.
    public func withCurrent<Value, Failure: Error>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let run: () async -> Result<Value, Failure> = {
            do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
        }
        return try await TracingScope.$current.withValue(
            TracingScope(self), operation: run, isolation: isolation
        ).get()
    }

    /// Converts a time of the registry's clock to the time of day.
    public func wallTime(at time: MonotonicTime) -> WallTime {
        // Whole nanoseconds, because a `Duration` divides 128-bit numbers, and lists contain many times.
        let passed = Int64(truncatingIfNeeded: time.nanoseconds &- startedAt.nanoseconds)
        return WallTime(nanosecondsSince1970: startedAtWall.nanosecondsSince1970 &+ passed)
    }

    /// Handles the death of a watched instance.
    ///
    /// Runs on the thread on which the instance dies.
    func watchedInstanceDied(_ id: InstanceID, watchedFor reasons: WatchReasons, at time: MonotonicTime) {
        if reasons == .deadline, deadlines.withLock({ $0.instanceDiedInTime(id, at: time) }) { return }
        var annotation: Annotations.Entry?
        var children: Set<InstanceID> = []
        if reasons.contains(.annotation) { (annotation, children) = annotations.withLock { $0.remove(id) } }
        if reasons.contains(.deadline) { endDeadlines(of: id, annotation, at: time) }
        for child in children { expectGone(child, afterLeaving: .parentGone, within: nil) }
        if reasons.contains(.token), tokens.withLock({ $0.ownerDied(id, at: time) }) {
            thread.wake(by: time + configuration.orphanGrace)
        }
        guard reasons.contains(.action) else { return }
        let actions = deathActions.withLock { $0.take(id) }
        for action in actions { action() }
    }

    private func endDeadlines(of id: InstanceID, _ annotation: Annotations.Entry?, at time: MonotonicTime) {
        let isLate = deadlines.withLock { deadlines in
            let missed = deadlines.instanceDied(id, label: annotation?.label, owner: annotation?.owner?.id, at: time)
            guard let missed else { return false }
            // Filed while the deadlines are locked, so that the verdict follows the overdue verdict.
            verdicts.withLock { $0.append([.late(missed, label: annotation?.label, goneAt: time)]) }
            return true
        }
        if isLate { thread.wake(by: time) }
    }

    /// Throws if an instance has died or has never been born.
    func requireLive(_ id: InstanceID, for purpose: String) throws(TracerError) {
        guard id.isUntraced || !store.isLive(id) else { return }
        if let death = store.death(of: id) {
            let ago = (clock.now() - death.diedAt).inWords
            throw TracerError(
                .instanceDied, "Instance \(id) (\(death.type)) cannot \(purpose): the instance died \(ago) ago.",
                hint: "Make this call while the instance is live, before its deinit runs.")
        }
        guard !id.isUntraced else {
            throw TracerError(
                .notTraced,
                "The object cannot \(purpose): it was created while tracing was off, or a rule leaves its type out.",
                hint: "Set `LifetimeRegistry.isTracing` before the program creates the objects to trace, and change "
                    + "the rule.")
        }
        guard store.wasBorn(id) else {
            throw TracerError(
                .unknownInstance, "Instance \(id) cannot \(purpose): this registry has never assigned that id.",
                hint: "Use the registry in which the object was born: its `lifetimeRegistry`.")
        }
        guard store.hasDied(id) else {
            throw TracerError(
                .instanceNotListed,
                "Instance \(id) cannot \(purpose): more than \(configuration.instanceLimit) instances are live.",
                hint: "Raise the registry's `instanceLimit`.")
        }
        throw TracerError(
            .instanceDied, "Instance \(id) cannot \(purpose): the instance has died.",
            hint: "Make this call while the instance is live, before its deinit runs.")
    }
}
