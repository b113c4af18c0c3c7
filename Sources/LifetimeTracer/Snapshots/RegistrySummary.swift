/// The numbers of a registry at a glance.
///
/// Costs in proportion to the types and events, not to the instances.
public struct RegistrySummary: Sendable {
    /// What a bounded buffer could not take.
    public struct Drop: Sendable {
        /// The buffer.
        public let buffer: String
        /// How much it holds.
        public let limit: Int
        /// How much it dropped.
        public let dropped: UInt64
    }

    /// When the numbers were read.
    public let at: MonotonicTime
    /// Live instances.
    public let live: UInt64
    /// The most that were live at a time.
    public let peak: UInt64
    /// Births so far.
    public let born: UInt64
    /// Deaths so far.
    public let died: UInt64
    /// Types seen.
    public let types: Int
    /// Tokens in force, registered, removed and so on.
    public let tokens: TokenTotals
    /// Instances that are overdue.
    public let overdue: Int
    /// Instances that went late so far.
    public let late: UInt64
    /// Types and groups over their budgets.
    public let overBudget: Int
    /// Invariants that are broken.
    public let brokenInvariants: Int
    /// What each bounded buffer dropped.
    public let drops: [Drop]
    /// An estimate of the memory that the registry holds.
    public let registryBytes: Int
    /// The types with most live instances, at most as many as asked for.
    public let top: [(type: TypeName, live: UInt64)]
}

extension LifetimeRegistry {
    /// The numbers at a glance.
    ///
    /// - Parameter topTypes: How many types to name.
    public func summary(topTypes: Int = 12) -> RegistrySummary {
        thread.retryStart()
        let now = clock.now()
        let counters = store.counters()
        let tokens = tokens.withLock { $0.totals(at: now) }
        let deadlines = deadlines.withLock { ($0.overdueInstanceCount, $0.lateCount) }
        let top = counters.types.filter { $0.live > 0 }.sorted {
            ($1.live, $0.name.qualified) < ($0.live, $1.name.qualified)
        }
        return RegistrySummary(
            at: now, live: counters.live, peak: counters.peak, born: counters.born, died: counters.died,
            types: counters.types.count, tokens: tokens, overdue: deadlines.0, late: deadlines.1,
            overBudget: budgets.withLock { $0.countOverBudget(counters.types) },
            brokenInvariants: invariants.withLock { $0.brokenCount }, drops: drops(counters),
            registryBytes: estimatedBytes(counters), top: top.prefix(topTypes).map { ($0.name, $0.live) })
    }
}
