/// The totals of a registry.
///
/// The cost is proportional to the number of types and events, not of instances.
public struct RegistrySummary: Sendable {
    /// The elements that a bounded buffer has dropped.
    public struct Drop: Sendable {
        /// The buffer.
        public let buffer: String
        /// The capacity of the buffer.
        public let limit: Int
        /// The number of dropped elements.
        public let dropped: Int
    }

    /// When the totals were read.
    public let at: MonotonicTime
    /// The number of live instances.
    public let live: Int
    /// The highest number of live instances so far.
    public let peak: Int
    /// The number of births so far.
    public let born: Int
    /// The number of deaths so far.
    public let died: Int
    /// The number of types seen.
    public let types: Int
    /// The numbers of tokens in force, registered, removed and so on.
    public let tokens: TokenTotals
    /// The number of overdue instances.
    public let overdue: Int
    /// The number of late instances so far.
    public let late: Int
    /// The number of types and groups over their budgets.
    public let overBudget: Int
    /// The number of broken invariants.
    public let brokenInvariants: Int
    /// The number of types, of events with owner types, or the process, that are growing.
    public let growing: Int
    /// The elements that each bounded buffer has dropped.
    public let drops: [Drop]
    /// An estimate of the memory that the registry holds, in bytes.
    public let registryBytes: Int
    /// The types with the most live instances, at most the requested number.
    public let top: [(type: TypeName, live: Int)]
}

extension LifetimeRegistry {
    /// Returns the totals of the registry.
    ///
    /// - Parameter topTypes: The most types to list.
    public func summary(topTypes: Int = 12) -> RegistrySummary {
        thread.retryStart()
        applyRules()
        return summary(topTypes: topTypes, store.counters(), at: clock.now())
    }

    /// Returns the totals and the counters of all types, in the order in which the types were first seen, at one
    /// instant.
    ///
    /// The cost is proportional to the number of types, not of instances.
    package func summaryWithTypes() -> (summary: RegistrySummary, types: [TypeCount]) {
        thread.retryStart()
        applyRules()
        let now = clock.now()
        let counters = store.counters()
        return (summary(topTypes: 0, counters, at: now), typeCounts(counters))
    }

    private func summary(topTypes: Int, _ counters: InstanceStore.Counters, at now: MonotonicTime) -> RegistrySummary {
        let tokens = tokens.withLock { $0.totals(at: now) }
        let deadlines = deadlines.withLock { ($0.overdueInstanceCount, $0.lateCount) }
        return RegistrySummary(
            at: now, live: counters.live, peak: counters.peak, born: counters.born, died: counters.died,
            types: counters.types.count, tokens: tokens, overdue: deadlines.0, late: deadlines.1,
            overBudget: budgets.withLock { $0.countOverBudget(counters.types) },
            brokenInvariants: invariants.withLock { $0.brokenCount },
            growing: growthTable.withLock { $0.growing.count },
            drops: drops(counters), registryBytes: estimatedBytes(counters),
            top: counters.types.withMostLive(topTypes).map { ($0.name, $0.live) })
    }
}
