/// The counters of a type that can be read without visiting its instances.
package struct TypeCount: Sendable {
    /// The type.
    package let type: TypeName
    /// The number of live instances.
    package let live: Int
    /// The highest number of live instances so far.
    package let peak: Int
    /// The number of births so far.
    package let born: Int
    /// The number of deaths so far.
    package let died: Int
    /// The number of overdue instances.
    package let overdue: Int
    /// How often an instance has become overdue so far.
    package let becameOverdue: Int
}

extension LifetimeRegistry {
    /// Returns the counters of all types, in the order in which they were first seen.
    ///
    /// The cost is proportional to the number of types, not of instances.
    package func typeCounts() -> [TypeCount] {
        typeCounts(store.counters())
    }

    func typeCounts(_ counters: InstanceStore.Counters) -> [TypeCount] {
        let overdue = deadlines.withLock { $0.overdueByType }
        return counters.types.map { type in
            let none = DeadlineTable.OverdueCount()
            let overdue = overdue.isEmpty ? none : overdue[type.name] ?? none
            return TypeCount(
                type: type.name, live: type.live, peak: type.peak, born: type.born, died: type.died,
                overdue: overdue.now, becameOverdue: overdue.ever)
        }
    }
}
