/// The counters of a type, without what takes a look at its instances.
package struct TypeCount: Sendable {
    /// The type.
    package let type: TypeName
    /// Live instances.
    package let live: UInt64
    /// The most that were live at a time.
    package let peak: UInt64
    /// Births so far.
    package let born: UInt64
    /// Deaths so far.
    package let died: UInt64
    /// Instances that are overdue.
    package let overdue: UInt64
    /// How often an instance became overdue so far.
    package let becameOverdue: UInt64
}

extension LifetimeRegistry {
    /// The counters of all types, in the order in which they were first seen.
    ///
    /// Costs in proportion to the types, not to the instances.
    package func typeCounts() -> [TypeCount] {
        let overdue = deadlines.withLock { $0.overdueByType }
        return store.counters().types.map { type in
            let overdue = overdue[type.name] ?? DeadlineTable.OverdueCount()
            return TypeCount(
                type: type.name, live: type.live, peak: type.peak, born: type.born, died: type.died,
                overdue: overdue.now, becameOverdue: overdue.ever)
        }
    }
}
