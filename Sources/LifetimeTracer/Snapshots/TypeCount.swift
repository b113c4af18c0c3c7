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
}

extension LifetimeRegistry {
    /// The counters of all types, in the order in which they were first seen.
    ///
    /// Costs in proportion to the types, not to the instances.
    package func typeCounts() -> [TypeCount] {
        store.counters().types.map {
            TypeCount(type: $0.name, live: $0.live, peak: $0.peak, born: $0.born, died: $0.died)
        }
    }
}
