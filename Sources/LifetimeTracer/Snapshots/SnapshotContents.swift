/// Copies of a registry's tables, joined into the records of a snapshot on demand.
///
/// Runs outside all locks except its own.
final class SnapshotContents: Sendable {
    let cut: InstanceStore.Cut
    private let annotations: [InstanceID: Annotations.Entry]
    private let budgets: BudgetTable
    private let maximumAges: [TypeIndex: Duration]
    private let invariantTable: InvariantTable
    private let tokenTable: TokenTable
    private let deadlineEntries: [DeadlineID: DeadlineTable.Entry]
    private let overdueDeadlines: Set<DeadlineID>
    private let overdue: Set<InstanceID>
    private let lateEntries: [DeadlineTable.Late]
    // Retained because the names in the records, and the registry's core, stay valid only as long as the store.
    private let store: InstanceStore
    private let types = Locked<[TypeRecord]?>(nil)

    init(of registry: LifetimeRegistry) {
        // The instances are cut last, so that a token or deadline whose owner is not listed belongs to an owner that
        // died meanwhile.
        tokenTable = registry.tokens.withLock { $0 }
        (deadlineEntries, overdueDeadlines, lateEntries) = registry.deadlines.withLock {
            ($0.entries, $0.overdue, $0.late.elements)
        }
        annotations = registry.annotations.withLock { $0.entries }
        budgets = registry.budgets.withLock { $0 }
        maximumAges = registry.ageLimits.withLock { $0.limits }
        invariantTable = registry.invariants.withLock { $0 }
        store = registry.store
        cut = store.cut()
        overdue = Set(overdueDeadlines.lazy.compactMap { [deadlineEntries] in deadlineEntries[$0]?.instance })
    }

    func instance(_ record: RecordList.Record) -> InstanceRecord {
        let (context, annotation) = (cut.contexts[record.context], annotations[record.id])
        return InstanceRecord(
            id: record.id, type: name(of: context.type), bornAt: cut.times.time(record.time),
            site: context.site.ifKnown,
            creationStack: context.stack.isEmpty ? nil : CreationStack(addresses: context.stack),
            label: annotation?.label, owner: annotation?.owner.map { owner($0.id, $0.type) },
            parent: annotation?.parent, exemption: annotation?.exemption, isOverdue: overdue.contains(record.id))
    }

    func typeRecords() -> [TypeRecord] {
        types.withLock { types in
            if let types { return types }
            let made = makeTypeRecords()
            types = made
            return made
        }
    }

    func groups() -> [GroupRecord] {
        budgets.liveByGroup(cut.counters.types).sorted { $0.key < $1.key }.map { name, live in
            GroupRecord(name: name, live: live, budget: budgets.byGroup[name])
        }
    }

    func invariants() -> [InvariantRecord] {
        // The counters were read after the table, so they include each type of an entry.
        let types = cut.counters.types
        return invariantTable.entries.map { entry in
            let (type, each) = (types[Int(entry.of.rawValue)], types[Int(entry.each.rawValue)])
            return InvariantRecord(
                type: type.name, each: each.name, count: entry.count, reason: entry.reason, live: type.live,
                eachLive: each.live, disagreeingSince: entry.brokenSince, isBroken: entry.isReported)
        }
    }

    func tokens() -> [TokenRecord] {
        tokenTable.entries.sorted { $0.key < $1.key }.map { id, entry in
            TokenRecord(
                id: id, kind: entry.group.kind, event: entry.group.event,
                owner: entry.owner.map { owner($0, entry.group.ownerType) }, ownerType: entry.group.ownerType,
                site: entry.site.ifKnown, registeredAt: entry.registeredAt, deliveries: entry.deliveries,
                isOrphaned: tokenTable.isOrphaned(entry, at: cut.at))
        }
    }

    func tokenGroups() -> [TokenGroupRecord] {
        tokenTable.groups.map { group, counts in
            TokenGroupRecord(
                kind: group.kind, event: group.event, ownerType: group.ownerType, inForce: counts.inForce,
                registered: counts.registered, removed: counts.removed, refused: counts.refused,
                deliveries: counts.deliveries, isCrowded: tokenTable.crowds.crowded.contains(group.crowd))
        }
        .sorted {
            ($0.event, $0.kind.rawValue, $0.ownerType?.qualified ?? "")
                < ($1.event, $1.kind.rawValue, $1.ownerType?.qualified ?? "")
        }
    }

    func deadlines() -> [DeadlineRecord] {
        deadlineEntries.sorted { $0.key < $1.key }
            .filter { cut.records.contains($0.value.instance) }
            .map { DeadlineRecord($0.value, isOverdue: overdueDeadlines.contains($0.key)) }
    }

    func late() -> [LateRecord] {
        lateEntries.map {
            LateRecord(
                deadline: DeadlineRecord($0.entry, isOverdue: true), label: $0.label, owner: $0.owner,
                site: $0.entry.creationSite, goneAt: $0.goneAt)
        }
    }

    private func makeTypeRecords() -> [TypeRecord] {
        let entries = cut.counters.types
        var oldest = [UInt64?](repeating: nil, count: entries.count)
        let typesOfContexts = cut.contexts.map { Int($0.type.rawValue) }
        cut.records.forEachUnordered { record in
            let type = typesOfContexts[record.context]
            oldest[type] = min(oldest[type] ?? record.time, record.time)
        }
        let verdicts = countVerdicts(entries.count)
        return entries.enumerated().map { position, entry in
            let index = TypeIndex(rawValue: Int32(position))
            return TypeRecord(
                type: entry.name, live: entry.live, peak: entry.peak, born: entry.born, died: entry.died,
                shallowBytes: entry.shallowBytes, oldest: oldest[position].map(cut.times.time),
                budget: budgets.byType[index], maximumAge: maximumAges[index], group: budgets.groups[index],
                overdue: verdicts.overdue[position], late: verdicts.late[entry.name] ?? 0,
                orphanOwner: verdicts.orphanOwners[position])
        }
    }

    private func countVerdicts(
        _ typeCount: Int
    ) -> (overdue: [Int], orphanOwners: [Int], late: [TypeName: Int]) {
        var counts = (
            overdue: [Int](repeating: 0, count: typeCount), orphanOwners: [Int](repeating: 0, count: typeCount),
            late: [TypeName: Int]()
        )
        for id in overdue {
            if let type = type(of: id) { counts.overdue[type] += 1 }
        }
        for (id, entry) in annotations {
            guard let owner = entry.owner, !self.owner(owner.id, owner.type).isLive else { continue }
            if let type = type(of: id) { counts.orphanOwners[type] += 1 }
        }
        for instance in lateEntries { counts.late[instance.entry.type, default: 0] += 1 }
        return counts
    }

    private func type(of id: InstanceID) -> Int? {
        cut.records.record(of: id).map { Int(cut.contexts[$0.context].type.rawValue) }
    }

    private func owner(_ id: InstanceID, _ type: TypeName?) -> OwnerRecord {
        // While unlisted instances exist, the owner may be one of them.
        OwnerRecord(id: id, type: type, isLive: cut.counters.unlisted > 0 || cut.records.contains(id))
    }

    private func name(of type: TypeIndex) -> TypeName {
        cut.counters.types[Int(type.rawValue)].name
    }
}
