import LifetimeTracer

/// The overdue and late instances of a snapshot, grouped by the fingerprint of those who are to blame.
struct OverdueGroups: Sendable {
    /// The most members of a group that are shown.
    static let shownMembers = 100

    /// An overdue or late instance.
    struct Member: Sendable {
        /// The deadline that it missed first.
        let deadline: DeadlineRecord
        let label: String?
        /// Where it was created.
        let site: SourceSite?
        /// The calls that led to its creation; `nil` where they were not recorded, and once it is gone.
        let creationStack: CreationStack?
        /// When it went after all; `nil` while it is overdue.
        let goneAt: MonotonicTime?
        /// Who is to blame.
        let culprit: InstanceID

        var isVictim: Bool { culprit != deadline.instance }
    }

    /// Instances that are there for the same reason.
    struct Group: Sendable {
        /// The deadline of a culprit.
        let culprit: DeadlineRecord
        /// The instances: overdue ones before late ones, each culprit before those it holds.
        let members: [Member]
        /// How many are overdue.
        let overdue: Int
        /// How many were late.
        let late: Int
    }

    /// The groups, those with most overdue instances first.
    let groups: [Group]

    init(_ snapshot: Snapshot) {
        let overdue = Self.firstMissed(snapshot.deadlines)
        let late = Dictionary(snapshot.late.map { ($0.deadline.instance, $0) }) { first, _ in first }
        let isSuspect = { (id: InstanceID) in overdue[id] != nil || late[id] != nil }
        let holders = { (id: InstanceID) -> [InstanceID] in
            if let late = late[id] { return late.owner.map { [$0] } ?? [] }
            guard let instance = snapshot.instance(id) else { return [] }
            // One that has gone holds nothing any more.
            let owner = instance.owner.flatMap { $0.isLive ? $0.id : nil }
            return [owner, instance.parent].compactMap(\.self)
        }
        var search = CulpritSearch(holders: holders, isSuspect: isSuspect)
        var members = overdue.values.map { deadline in
            let instance = snapshot.instance(deadline.instance)
            return Member(
                deadline: deadline, label: instance?.label, site: instance?.site,
                creationStack: instance?.creationStack, goneAt: nil, culprit: search.culprit(of: deadline.instance))
        }
        members += late.values.map { late in
            Member(
                deadline: late.deadline, label: late.label, site: late.site, creationStack: nil, goneAt: late.goneAt,
                culprit: search.culprit(of: late.deadline.instance))
        }
        let deadlines = overdue.merging(late.mapValues(\.deadline)) { overdue, _ in overdue }
        groups = Dictionary(grouping: members) { (deadlines[$0.culprit] ?? $0.deadline).fingerprint }.values
            .map { Group($0, culprit: deadlines[$0[0].culprit] ?? $0[0].deadline) }
            .sorted(by: Self.isBefore)
    }

    /// The deadline that each overdue instance missed first.
    private static func firstMissed(_ deadlines: [DeadlineRecord]) -> [InstanceID: DeadlineRecord] {
        Dictionary(deadlines.lazy.filter(\.isOverdue).map { ($0.instance, $0) }) { $0.due <= $1.due ? $0 : $1 }
    }

    private static func isBefore(_ left: Group, _ right: Group) -> Bool {
        (right.overdue, right.late, left.culprit.type.qualified, left.culprit.fingerprint.rawValue)
            < (left.overdue, left.late, right.culprit.type.qualified, right.culprit.fingerprint.rawValue)
    }
}

extension OverdueGroups.Group {
    fileprivate init(_ members: [OverdueGroups.Member], culprit: DeadlineRecord) {
        self.culprit = culprit
        self.members = members.sorted {
            ($0.rank, $0.culprit, $0.isVictim ? 1 : 0, $0.deadline.instance)
                < ($1.rank, $1.culprit, $1.isVictim ? 1 : 0, $1.deadline.instance)
        }
        late = members.count { $0.goneAt != nil }
        overdue = members.count - late
    }
}

extension OverdueGroups.Member {
    fileprivate var rank: Int { goneAt == nil ? 0 : 1 }
}
