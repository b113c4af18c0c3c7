/// A copy of a registry at one instant.
///
/// The listed instances and the counters are taken in one cut, so they always agree: for each type, the listed and
/// unlisted instances add up to the live count. The records of instances, types, tokens and deadlines are created from
/// the copy on access.
public struct Snapshot: Sendable {
    let contents: SnapshotContents

    /// When the snapshot was taken.
    public var takenAt: MonotonicTime { contents.cut.at }
    /// How long births and deaths were blocked while the counters of the snapshot were summed.
    public var pause: Duration { contents.cut.pause }
    /// The live instances, oldest first.
    public var instances: InstanceList { InstanceList(contents: contents) }
    /// The types, in the order in which they were first seen.
    public var types: [TypeRecord] { contents.typeRecords() }
    /// The groups that have types or a budget, by name.
    public var groups: [GroupRecord] { contents.groups() }
    /// The tokens in force, oldest first.
    public var tokens: [TokenRecord] { contents.tokens() }
    /// The counts of tokens since the start.
    public var tokenGroups: [TokenGroupRecord] { contents.tokenGroups() }
    /// The deadlines in force, oldest first.
    public var deadlines: [DeadlineRecord] { contents.deadlines() }
    /// The remembered late instances, oldest first.
    public var late: [LateRecord] { contents.late() }
    /// The invariants, in the order in which they were set.
    public var invariants: [InvariantRecord] { contents.invariants() }
    /// The number of live instances.
    public var live: Int { counters.live }
    /// The highest number of live instances so far.
    public var peak: Int { counters.peak }
    /// The number of births so far.
    public var born: Int { counters.born }
    /// The number of deaths so far.
    public var died: Int { counters.died }
    /// The number of live instances that are counted but not listed.
    public var unlisted: Int { counters.unlisted }

    /// The highest id of an instance born before the snapshot.
    ///
    /// Can exceed ``born``: a thread does not use the rest of its reserved ids once another thread has higher ones.
    package var lastID: InstanceID { counters.lastID }

    var counters: InstanceStore.Counters { contents.cut.counters }

    init(of registry: LifetimeRegistry, listing part: SnapshotPart = .all) {
        contents = SnapshotContents(of: registry, listing: part)
    }
}

extension LifetimeRegistry {
    /// Takes a snapshot of the registry.
    ///
    /// Time and memory are proportional to the number of live instances, at 16 bytes each; for the totals alone use
    /// ``summary(topTypes:)``. Births and deaths are blocked for a few microseconds of it, ``Snapshot/pause``.
    public func snapshot() -> Snapshot {
        thread.retryStart()
        return Snapshot(of: self)
    }

    /// Takes a snapshot that lists only the overdue instances, their deadlines and the late instances.
    ///
    /// Its counts are those of all instances. Time and memory are proportional to the listed instances.
    package func snapshotOfOverdue() -> Snapshot {
        thread.retryStart()
        return Snapshot(of: self, listing: .overdue)
    }

    /// Returns the children of a node, by id.
    package func children(of parent: InstanceID) -> [InstanceID] {
        annotations.withLock { $0.children[parent] ?? [] }.sorted()
    }

    /// Returns the death of an instance, while it is remembered.
    package func rememberedDeath(of id: InstanceID) -> DeathRecord? {
        store.death(of: id).map {
            DeathRecord(instance: id, type: $0.type, bornAt: $0.bornAt, diedAt: $0.diedAt)
        }
    }

    /// Returns the remembered deaths.
    package func rememberedDeaths() -> RememberedDeaths {
        let (deaths, dropped) = store.rememberedDeaths()
        return RememberedDeaths(
            records: deaths.map {
                DeathRecord(instance: $0.id, type: $0.type, bornAt: $0.bornAt, diedAt: $0.diedAt)
            },
            forgotten: dropped, coversAll: store.core.isScoped)
    }
}

/// The death of an instance.
package struct DeathRecord: Sendable {
    /// The instance's id.
    package let instance: InstanceID
    /// The instance's type.
    package let type: TypeName
    /// When the instance was born.
    package let bornAt: MonotonicTime
    /// When the instance died.
    package let diedAt: MonotonicTime
}

/// The last deaths of a registry.
package struct RememberedDeaths: Sendable {
    /// The deaths, oldest first.
    package let records: [DeathRecord]
    /// The number of deaths that are no longer remembered.
    package let forgotten: Int
    /// Whether every death is remembered at first; if false, only those of instances that a snapshot listed, whose id
    /// was read, or that were watched.
    package let coversAll: Bool
}
