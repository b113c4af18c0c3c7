/// A copy of a registry at one instant.
///
/// The listed instances and the counters are taken in one cut, so they always agree: the instances of a type that are listed,
/// with those past the registry's limit, are as many as are counted live. What it says of single instances, types, tokens and
/// deadlines is put together when it is asked for, from what was copied.
public struct Snapshot: Sendable {
    private let contents: SnapshotContents

    /// When it was taken.
    public var takenAt: MonotonicTime { contents.cut.at }
    /// For how long no birth and no death could be recorded while it was taken.
    public var pause: Duration { contents.cut.pause }
    /// The live instances, oldest first.
    public var instances: InstanceList { InstanceList(contents: contents) }
    /// The types, in the order in which they were first seen.
    public var types: [TypeRecord] { contents.typeRecords() }
    /// The groups that types were assigned to or that have a budget, by name.
    public var groups: [GroupRecord] { contents.groups() }
    /// The tokens in force, oldest first.
    public var tokens: [TokenRecord] { contents.tokens() }
    /// Counts of tokens since the start.
    public var tokenGroups: [TokenGroupRecord] { contents.tokenGroups() }
    /// The deadlines in force, oldest first.
    public var deadlines: [DeadlineRecord] { contents.deadlines() }
    /// The instances that went late, as far as they are remembered, oldest first.
    public var late: [LateRecord] { contents.late() }
    /// The invariants, in the order in which they were set.
    public var invariants: [InvariantRecord] { contents.invariants() }
    /// Live instances.
    public var live: UInt64 { counters.live }
    /// The most that were live at a time.
    public var peak: UInt64 { counters.peak }
    /// Births so far.
    public var born: UInt64 { counters.born }
    /// Deaths so far.
    public var died: UInt64 { counters.died }
    /// Live instances that are counted but not listed.
    public var unlisted: UInt64 { counters.unlisted }

    var counters: InstanceStore.Counters { contents.cut.counters }

    init(of registry: LifetimeRegistry) {
        contents = SnapshotContents(of: registry)
    }
}

extension LifetimeRegistry {
    /// Copies the registry.
    ///
    /// Costs time and memory in proportion to the live instances, 16 bytes each; for the numbers alone use
    /// ``summary(topTypes:)``. Births and deaths stand still for a few microseconds of it, ``Snapshot/pause``.
    public func snapshot() -> Snapshot {
        thread.retryStart()
        return Snapshot(of: self)
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

    /// The deaths that are remembered.
    package func rememberedDeaths() -> RememberedDeaths {
        let (deaths, dropped) = store.rememberedDeaths()
        return RememberedDeaths(
            records: deaths.map {
                DeathRecord(instance: $0.id, type: $0.type, bornAt: $0.bornAt, diedAt: $0.diedAt)
            },
            forgotten: dropped, coversAll: store.core.isScoped)
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

/// The last deaths of a registry.
package struct RememberedDeaths: Sendable {
    /// The deaths, oldest first.
    package let records: [DeathRecord]
    /// Deaths that were remembered and had to make room.
    package let forgotten: UInt64
    /// Whether each death is remembered at first; else only of instances that a snapshot listed or of which something was known.
    package let coversAll: Bool
}
