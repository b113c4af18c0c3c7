/// A copy of a registry at one instant.
///
/// The listed instances and the counters are taken in one cut, so they always agree: the instances of a type that are listed,
/// with those past the registry's limit, are as many as are counted live.
public struct Snapshot: Sendable {
    /// When it was taken.
    public let takenAt: MonotonicTime
    /// The live instances, oldest first.
    public let instances: [InstanceRecord]
    /// The types, in the order in which they were first seen.
    public let types: [TypeRecord]
    /// The groups that types were assigned to or that have a budget, by name.
    public let groups: [GroupRecord]
    /// The tokens in force, oldest first.
    public let tokens: [TokenRecord]
    /// Counts of tokens since the start.
    public let tokenGroups: [TokenGroupRecord]
    /// The deadlines in force, oldest first.
    public let deadlines: [DeadlineRecord]
    /// The instances that went late, as far as they are remembered, oldest first.
    public let late: [LateRecord]
    /// Live instances.
    public let live: UInt64
    /// The most that were live at a time.
    public let peak: UInt64
    /// Births so far.
    public let born: UInt64
    /// Deaths so far.
    public let died: UInt64
    /// Live instances that are counted but not listed.
    public let unlisted: UInt64

    let counters: InstanceStore.Counters
}

extension LifetimeRegistry {
    /// Copies the registry.
    ///
    /// Costs time and memory in proportion to the live instances; for the numbers alone use ``summary(topTypes:)``.
    public func snapshot() -> Snapshot {
        // The instances are cut last: a token or deadline whose owner is not listed belongs to one that has gone meanwhile.
        let tokens = tokens.withLock { $0 }
        let (deadlines, overdue, late) = deadlines.withLock { ($0.entries, $0.overdue, $0.late.elements) }
        let annotations = annotations.withLock { $0.entries }
        let budgets = budgets.withLock { $0 }
        let cut = store.cut()
        let builder = SnapshotBuilder(
            cut: cut, annotations: annotations, budgets: budgets,
            overdue: Set(overdue.lazy.compactMap { deadlines[$0]?.instance }))
        let instances = builder.instances()
        return Snapshot(
            takenAt: cut.at, instances: instances, types: builder.types(instances, late: late),
            groups: builder.groups(),
            tokens: builder.tokens(tokens), tokenGroups: builder.tokenGroups(tokens),
            deadlines: builder.deadlines(deadlines, overdue: overdue),
            late: late.map {
                LateRecord(
                    deadline: DeadlineRecord($0.entry, isOverdue: true), label: $0.label, owner: $0.owner,
                    site: $0.entry.creationSite, goneAt: $0.goneAt)
            },
            live: cut.counters.live, peak: cut.counters.peak, born: cut.counters.born, died: cut.counters.died,
            unlisted: cut.counters.unlisted, counters: cut.counters)
    }

    /// The children of a node, by id.
    public func children(of parent: InstanceID) -> [InstanceID] {
        annotations.withLock { $0.children[parent] ?? [] }.sorted()
    }

    /// What is remembered of an instance that has gone.
    public func rememberedDeath(of id: InstanceID) -> DeathRecord? {
        store.death(of: id).map {
            DeathRecord(instance: id, type: $0.type, bornAt: $0.bornAt, diedAt: $0.diedAt)
        }
    }
}

/// What is remembered of an instance that has gone.
public struct DeathRecord: Sendable {
    /// Its id.
    public let instance: InstanceID
    /// Its type.
    public let type: TypeName
    /// When it was born.
    public let bornAt: MonotonicTime
    /// When it died.
    public let diedAt: MonotonicTime
}
