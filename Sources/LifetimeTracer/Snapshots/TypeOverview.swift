/// The counts of all types at one instant, without a list of the instances.
///
/// A type is named by its position, in the order in which the types were first seen. Positions and names never change.
/// The time of birth of the oldest instance, and the verdicts, may be some microseconds younger than the counts.
package struct TypeOverview: Sendable {
    let counters: InstanceStore.Counters
    private let budgets: BudgetTable
    private let maximumAges: [TypeIndex: Duration]
    private let overdueByType: [TypeName: DeadlineTable.OverdueCount]
    private let lateByType: [TypeName: Int]
    private let orphanOwners: [Int: Int]
    private let store: InstanceStore

    /// When the counts were read.
    package var takenAt: MonotonicTime { counters.at }
    /// The number of types.
    package var count: Int { counters.types.count }
    /// The groups that have types or a budget, by name.
    package var groups: [GroupRecord] { budgets.groupRecords(counters.types) }

    fileprivate init(of registry: LifetimeRegistry) {
        registry.applyRules()
        store = registry.store
        budgets = registry.budgets.withLock { $0 }
        maximumAges = registry.ageLimits.withLock { $0.limits }
        orphanOwners = Self.countOrphanOwners(in: registry)
        counters = store.counters()
        (overdueByType, lateByType) = registry.deadlines.withLock { ($0.overdueByType, $0.lateByType) }
    }

    /// The name of a type.
    package func name(_ type: Int) -> TypeName { counters.types[type].name }
    /// The number of live instances.
    package func live(_ type: Int) -> Int { counters.types[type].live }
    /// The highest number of live instances so far.
    package func peak(_ type: Int) -> Int { counters.types[type].peak }
    /// The number of births so far.
    package func born(_ type: Int) -> Int { counters.types[type].born }
    /// The number of deaths so far.
    package func died(_ type: Int) -> Int { counters.types[type].died }
    /// The size of an instance in bytes, without the objects that it references.
    package func shallowBytes(_ type: Int) -> Int? { counters.types[type].shallowBytes }
    /// The group of the type.
    package func group(_ type: Int) -> String? { budgets.groups[index(type)] }
    /// The most live instances that the type's budget allows.
    package func budget(_ type: Int) -> Int? { budgets.byType[index(type)] }
    /// The maximum age of the type's instances.
    package func maximumAge(_ type: Int) -> Duration? { maximumAges[index(type)] }

    /// The number of overdue instances.
    package func overdue(_ type: Int) -> Int {
        guard !overdueByType.isEmpty else { return 0 }
        // The death of an overdue instance is counted before its deadline ends.
        return min(overdueByType[name(type)]?.now ?? 0, live(type))
    }

    /// Returns the records of some types.
    package func records(_ types: [Int]) -> [TypeRecord] {
        zip(types, births(of: types)).map { type, oldest in
            TypeRecord(
                type: name(type), live: live(type), peak: peak(type), born: born(type), died: died(type),
                shallowBytes: shallowBytes(type), oldest: oldest, budget: budget(type), maximumAge: maximumAge(type),
                group: group(type), overdue: overdue(type),
                late: lateByType.isEmpty ? 0 : lateByType[name(type)] ?? 0, orphanOwner: orphanOwners[type] ?? 0)
        }
    }

    /// The times of birth of the oldest live instances of some types; `nil` for a type without a live instance.
    ///
    /// If all instances of a type have died since the counts were read, the oldest was as old as that reading at least;
    /// its time is then that of the reading.
    package func births(of types: [Int]) -> [MonotonicTime?] {
        let times = store.timebase.translation(asOf: counters.at)
        let listed = types.filter { counters.types[$0].live > counters.types[$0].unlisted }
        var births = store.oldestBirths(of: listed, typeCount: count)[...]
        return types.map { type in
            guard counters.types[type].live > counters.types[type].unlisted else { return nil }
            return (births.popFirst() ?? nil).map(times.time) ?? counters.at
        }
    }

    private func index(_ type: Int) -> TypeIndex { TypeIndex(rawValue: Int32(type)) }

    /// Counts the live instances whose owners have died, by type.
    private static func countOrphanOwners(in registry: LifetimeRegistry) -> [Int: Int] {
        let store = registry.store
        let entries = registry.annotations.withLock { $0.owned > 0 ? $0.entries : [:] }
        // While unlisted instances exist, an owner may be one of them.
        guard !entries.isEmpty, store.catalog.withLock({ $0.unlisted == 0 }) else { return [:] }
        var counts: [Int: Int] = [:]
        for (id, entry) in entries {
            guard let owner = entry.owner?.id, !owner.isUntraced, !store.isLive(owner) else { continue }
            if let type = store.typePosition(of: id) { counts[type, default: 0] += 1 }
        }
        return counts
    }
}

extension LifetimeRegistry {
    /// Returns the counts of all types at one instant.
    ///
    /// The cost is proportional to the number of types, and of declared owners; not of instances, unless the oldest of
    /// a type has died.
    package func typeOverview() -> TypeOverview {
        thread.retryStart()
        return TypeOverview(of: self)
    }
}
