/// Joins copies of a registry's tables into the records of a snapshot.
///
/// Runs outside all locks.
struct SnapshotBuilder {
    let cut: InstanceStore.Cut
    let annotations: [InstanceID: Annotations.Entry]
    let budgets: BudgetTable
    let overdue: Set<InstanceID>

    func instances() -> [InstanceRecord] {
        cut.instances.sorted { $0.key < $1.key }.map { id, record in
            let annotation = annotations[id]
            return InstanceRecord(
                id: id, type: name(of: record.type), bornAt: record.bornAt, site: record.site.ifKnown,
                label: annotation?.label, owner: annotation?.owner.map { owner($0.id, $0.type) },
                parent: annotation?.parent, exemption: annotation?.exemption, isOverdue: overdue.contains(id))
        }
    }

    func types(_ instances: [InstanceRecord], late: [DeadlineTable.Late]) -> [TypeRecord] {
        var overdueCounts: [TypeName: Int] = [:]
        var orphanOwners: [TypeName: Int] = [:]
        var oldest: [TypeName: MonotonicTime] = [:]
        for instance in instances {
            if instance.isOverdue { overdueCounts[instance.type, default: 0] += 1 }
            if instance.owner?.isLive == false { orphanOwners[instance.type, default: 0] += 1 }
            oldest[instance.type] = min(oldest[instance.type] ?? instance.bornAt, instance.bornAt)
        }
        var lateCounts: [TypeName: Int] = [:]
        for instance in late { lateCounts[instance.entry.type, default: 0] += 1 }
        return cut.counters.types.enumerated().map { position, entry in
            let index = TypeIndex(rawValue: Int32(position))
            return TypeRecord(
                type: entry.name, live: entry.live, peak: entry.peak, born: entry.born, died: entry.died,
                shallowBytes: entry.shallowBytes, oldest: oldest[entry.name], budget: budgets.byType[index],
                group: budgets.groups[index], overdue: overdueCounts[entry.name] ?? 0,
                late: lateCounts[entry.name] ?? 0, orphanOwner: orphanOwners[entry.name] ?? 0)
        }
    }

    func groups() -> [GroupRecord] {
        budgets.liveByGroup(cut.counters.types).sorted { $0.key < $1.key }.map { name, live in
            GroupRecord(name: name, live: live, budget: budgets.byGroup[name])
        }
    }

    func tokens(_ table: TokenTable) -> [TokenRecord] {
        table.entries.sorted { $0.key < $1.key }.map { id, entry in
            TokenRecord(
                id: id, kind: entry.group.kind, event: entry.group.event,
                owner: entry.owner.map { owner($0, entry.group.ownerType) }, ownerType: entry.group.ownerType,
                site: entry.site.ifKnown, registeredAt: entry.registeredAt, deliveries: entry.deliveries,
                isOrphaned: table.isOrphaned(entry, at: cut.at))
        }
    }

    func tokenGroups(_ table: TokenTable) -> [TokenGroupRecord] {
        table.groups.map { group, counts in
            TokenGroupRecord(
                kind: group.kind, event: group.event, ownerType: group.ownerType, inForce: counts.inForce,
                registered: counts.registered, removed: counts.removed, refused: counts.refused,
                deliveries: counts.deliveries, isCrowded: table.crowds.crowded.contains(group.crowd))
        }
        .sorted {
            ($0.event, $0.kind.rawValue, $0.ownerType?.qualified ?? "")
                < ($1.event, $1.kind.rawValue, $1.ownerType?.qualified ?? "")
        }
    }

    func deadlines(
        _ entries: [DeadlineID: DeadlineTable.Entry], overdue: Set<DeadlineID>
    ) -> [DeadlineRecord] {
        entries.sorted { $0.key < $1.key }
            .filter { cut.instances[$0.value.instance] != nil }
            .map { DeadlineRecord($0.value, isOverdue: overdue.contains($0.key)) }
    }

    private func owner(_ id: InstanceID, _ type: TypeName?) -> OwnerRecord {
        // While there are instances that are not listed, one of them may be it.
        OwnerRecord(id: id, type: type, isLive: cut.instances[id] != nil || cut.counters.unlisted > 0)
    }

    private func name(of type: TypeIndex) -> TypeName {
        cut.counters.types[Int(type.rawValue)].name
    }
}
