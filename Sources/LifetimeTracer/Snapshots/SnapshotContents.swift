/// Copies of a registry's tables, joined into the records of a snapshot on demand.
///
/// Runs outside all locks except its own.
final class SnapshotContents: Sendable {
    let cut: InstanceStore.Cut
    private let part: SnapshotPart
    private let annotations: [InstanceID: Annotations.Entry]
    private let budgets: BudgetTable
    private let maximumAges: [TypeIndex: Duration]
    private let invariantTable: InvariantTable
    private let tokenTable: TokenTable
    private let deadlineEntries: DeadlineEntries
    private let overdueDeadlines: Set<DeadlineID>
    /// The number of missed deadlines of each overdue instance.
    private let overdue: [InstanceID: Int]
    private let lateEntries: [DeadlineTable.Late]
    // Retained because the names in the records, and the registry's core, stay valid only as long as the store.
    private let store: InstanceStore
    private let types = Locked<[TypeRecord]?>(nil)

    /// Copies the tables, and lists the instances of a part.
    ///
    /// - Parameter part: For a part, only the tables are copied that describe its instances. While a copy exists, the
    ///   program's next change of that table copies the table once more.
    init(of registry: LifetimeRegistry, listing part: SnapshotPart = .all) {
        registry.applyRules()
        // The instances are cut last, so that a token or deadline whose owner is not listed belongs to an owner that
        // died meanwhile.
        tokenTable =
            part.isWhole
            ? registry.tokens.withLock { $0 } : TokenTable(limit: 0, grace: .zero, defaultThreshold: nil)
        if case .range = part {
            (deadlineEntries, overdueDeadlines, lateEntries) = (DeadlineEntries(), [], [])
            overdue = registry.deadlines.withLock { $0.overdueByInstance }
        } else {
            (deadlineEntries, overdueDeadlines, overdue, lateEntries) = registry.deadlines.withLock {
                ($0.entries, $0.overdue, $0.overdueByInstance, $0.late.elements)
            }
        }
        annotations = registry.annotations.withLock { $0.entries }
        budgets = registry.budgets.withLock { $0 }
        maximumAges = registry.ageLimits.withLock { $0.limits }
        invariantTable = registry.invariants.withLock { $0 }
        store = registry.store
        self.part = part
        cut =
            switch part {
            case .all: store.cut()
            case .range(let range): store.cut(.range(range))
            case .overdue: store.cut(.instances(Array(overdue.keys)))
            }
    }

    func instance(_ record: RecordList.Record) -> InstanceRecord {
        let context = cut.contexts[record.context]
        // An instance is marked as watched before it gets an annotation or a deadline. The tables were copied before
        // the cut, so an instance that the cut has as not watched is in no table.
        let annotation = record.isWatched ? annotations[record.id] : nil
        return InstanceRecord(
            id: record.id, type: name(of: context.type), bornAt: cut.times.time(record.time),
            site: context.site.ifKnown,
            creationStack: context.stack.isEmpty ? nil : CreationStack(addresses: context.stack),
            label: annotation?.label, owner: annotation?.owner.map { owner($0.id, $0.type) },
            parent: annotation?.parent, exemption: annotation?.exemption,
            isOverdue: record.isWatched && overdue[record.id] != nil)
    }

    func instance(_ id: InstanceID) -> InstanceRecord? {
        cut.records.record(of: id).map(instance)
    }

    func typeAndBirth(of id: InstanceID) -> (type: Int, bornAt: MonotonicTime)? {
        cut.records.record(of: id).map {
            (Int(cut.contexts[$0.context].type.rawValue), cut.times.time($0.time))
        }
    }

    /// Returns the live declared owner and the parent of an instance.
    func holders(of id: InstanceID) -> [InstanceID] {
        guard let annotation = annotations[id], isLive(id) else { return [] }
        let owner = annotation.owner.flatMap { self.owner($0.id, $0.type).isLive ? $0.id : nil }
        return [owner, annotation.parent].compactMap(\.self)
    }

    /// Whether an instance was live; one that is not part of the snapshot, whether it is live now.
    func isLive(_ id: InstanceID) -> Bool {
        cut.records.contains(id) || (!part.isWhole && store.isLive(id))
    }

    func label(of id: InstanceID) -> String? {
        annotations[id]?.label
    }

    /// Returns the earliest missed deadline of each overdue instance.
    func overdueSince() -> [InstanceID: MonotonicTime] {
        var times: [InstanceID: MonotonicTime] = [:]
        for deadline in overdueDeadlines {
            guard let entry = deadlineEntries[deadline], cut.records.contains(entry.instance) else { continue }
            times[entry.instance] = min(times[entry.instance] ?? entry.due, entry.due)
        }
        return times
    }

    /// Calls `body` for each live instance that was born since a time and is not overdue, youngest first.
    func forEachBirth(since start: MonotonicTime, atMost limit: Int, _ body: (InstanceID, Int, MonotonicTime) -> Void) {
        cut.records.forEachFromYoungest(atMost: limit) { record in
            let bornAt = cut.times.time(record.time)
            guard bornAt >= start else { return false }
            if record.isWatched, overdue[record.id] != nil { return true }
            body(record.id, Int(cut.contexts[record.context].type.rawValue), bornAt)
            return true
        }
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
        budgets.groupRecords(cut.counters.types)
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
        deadlines(deadlineEntries.ids)
    }

    func deadlinesOfOverdue() -> [DeadlineRecord] {
        deadlines(overdueDeadlines.sorted())
    }

    private func deadlines(_ ids: [DeadlineID]) -> [DeadlineRecord] {
        var texts = DeadlineRecord.Texts()
        return ids.compactMap { id in
            guard let entry = deadlineEntries[id], cut.records.contains(entry.instance) else { return nil }
            return DeadlineRecord(entry, isOverdue: overdueDeadlines.contains(id), texts.of(entry))
        }
    }

    func typesOverBudget() -> Set<TypeName> {
        guard !budgets.isEmpty else { return [] }
        let groups = Set(groups().lazy.filter(\.isOverBudget).map(\.name))
        let types = cut.counters.types
        let over = types.indices.lazy.filter { [budgets] position in
            let index = TypeIndex(rawValue: Int32(position))
            return budgets.byType[index].map { types[position].live > $0 } ?? false
                || budgets.groups[index].map(groups.contains) ?? false
        }
        return Set(over.map { types[$0].name })
    }

    func late() -> [LateRecord] {
        var texts = DeadlineRecord.Texts()
        return lateEntries.map {
            LateRecord(
                deadline: DeadlineRecord($0.entry, isOverdue: true, texts.of($0.entry)), label: $0.label,
                owner: $0.owner,
                site: $0.entry.creationSite, goneAt: $0.goneAt)
        }
    }

    private func makeTypeRecords() -> [TypeRecord] {
        let entries = cut.counters.types
        var oldest = [UInt64](repeating: .max, count: entries.count)
        var verdicts = countVerdicts(entries.count)
        let typesOfContexts = cut.contexts.map { Int($0.type.rawValue) }
        cut.records.forEachUnordered { record in
            let type = typesOfContexts[record.context]
            oldest[type] = min(oldest[type], record.time)
            if record.isWatched, overdue[record.id] != nil { verdicts.overdue[type] += 1 }
        }
        return entries.enumerated().map { position, entry in
            let index = TypeIndex(rawValue: Int32(position))
            return TypeRecord(
                type: entry.name, live: entry.live, peak: entry.peak, born: entry.born, died: entry.died,
                shallowBytes: entry.shallowBytes,
                oldest: oldest[position] == .max ? nil : cut.times.time(oldest[position]),
                budget: budgets.byType[index], maximumAge: maximumAges[index], group: budgets.groups[index],
                overdue: verdicts.overdue[position], late: verdicts.late[entry.name] ?? 0,
                orphanOwner: verdicts.orphanOwners[position])
        }
    }

    /// Counts the verdicts by type, except overdue instances.
    private func countVerdicts(
        _ typeCount: Int
    ) -> (overdue: [Int], orphanOwners: [Int], late: [TypeName: Int]) {
        var counts = (
            overdue: [Int](repeating: 0, count: typeCount), orphanOwners: [Int](repeating: 0, count: typeCount),
            late: [TypeName: Int]()
        )
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
        // While unlisted instances exist, the owner may be one of them. An owner that is not traced may be live.
        let isLive = id.isUntraced || cut.counters.unlisted > 0 || isLive(id)
        return OwnerRecord(id: id, type: type, isLive: isLive)
    }

    private func name(of type: TypeIndex) -> TypeName {
        // Through a pointer, because the array's subscript copies and releases the whole entry.
        cut.counters.types.withUnsafeBufferPointer { $0[Int(type.rawValue)].name }
    }
}
