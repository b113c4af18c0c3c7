import LifetimeTracer
import RetainPaths

/// The overdue and late instances of a snapshot, grouped by the fingerprint of those who are to blame.
///
/// Who is to blame is what owners and parents say, and, where it has been searched for, what the retain paths say; then the
/// fingerprint of the path tells leaks apart that look the same from outside.
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
        /// Who holds it, where that has been searched for.
        let finding: RetainFinding?
        /// The known leak that keeps the one who is to blame.
        let known: ToleratedLeak?

        var isVictim: Bool { culprit != deadline.instance }
    }

    /// Instances that are there for the same reason.
    struct Group: Sendable {
        /// The deadline of a culprit.
        let culprit: DeadlineRecord
        /// Who holds a culprit, where that has been searched for.
        let finding: RetainFinding?
        /// The instances: overdue ones before late ones, each culprit before those it holds.
        let members: [Member]
        /// How many are overdue.
        let overdue: Int
        /// How many were late.
        let late: Int
        /// How many are overdue by a known leak.
        let knownCount: Int

        /// The known leak that all the overdue ones are; `nil` where one is not.
        var known: ToleratedLeak? { overdue > 0 && knownCount == overdue ? members.first?.known : nil }

        /// What tells the group from all others.
        var key: UInt64 { (finding?.explanation.fingerprint ?? culprit.fingerprint).rawValue }
    }

    /// The groups, those with most overdue instances first, and known leaks behind them.
    let groups: [Group]

    /// - Parameters:
    ///   - findings: Who holds what, as far as that has been searched for.
    ///   - silenced: What somebody said is known.
    init(
        _ snapshot: Snapshot, findings: [InstanceID: RetainFinding] = [:], silenced: [SilencedLeaks.Leak] = []
    ) {
        let overdue = Self.firstMissed(snapshot.deadlines)
        let byFingerprint = Dictionary(silenced.map { ($0.fingerprint, $0) }) { first, _ in first }
        let byInstance = Dictionary(silenced.flatMap { leak in leak.instances.map { ($0, leak) } }) { first, _ in first
        }
        let tolerated = { (culprit: InstanceID) -> ToleratedLeak? in
            let explanation = findings[culprit]?.explanation
            if let known = explanation?.known { return ToleratedLeak(known) }
            let ofPath = explanation?.fingerprint.flatMap { byFingerprint[$0] }
            let ofVerdict = (overdue[culprit]?.fingerprint).flatMap { byFingerprint[$0] }
            // What has been found since says more than what was.
            let ofFormerPath = explanation == nil ? byInstance[culprit] : nil
            return (ofPath ?? ofVerdict ?? ofFormerPath).map(ToleratedLeak.init)
        }
        let late = Dictionary(snapshot.late.map { ($0.deadline.instance, $0) }) { first, _ in first }
        let isSuspect = { (id: InstanceID) in overdue[id] != nil || late[id] != nil }
        let holders = { (id: InstanceID) -> [InstanceID] in
            if let late = late[id] { return late.owner.map { [$0] } ?? [] }
            guard let instance = snapshot.instance(id) else { return [] }
            // One that has gone holds nothing any more.
            let owner = instance.owner.flatMap { $0.isLive ? $0.id : nil }
            let declared = [owner, instance.parent].compactMap(\.self)
            guard let finding = findings[id] else { return declared }
            if let culprit = finding.explanation.culprit { return [culprit] }
            // Who was looked for in the same copy, and is not the culprit, does not hold it, unless they hold each other.
            return declared.filter { holder in
                guard let other = findings[holder], other.foundAt == finding.foundAt else { return true }
                return other.explanation.fingerprint == finding.explanation.fingerprint
            }
        }
        var search = CulpritSearch(holders: holders, isSuspect: isSuspect)
        var members = overdue.values.map { deadline in
            let instance = snapshot.instance(deadline.instance)
            let culprit = search.culprit(of: deadline.instance)
            return Member(
                deadline: deadline, label: instance?.label, site: instance?.site,
                creationStack: instance?.creationStack, goneAt: nil, culprit: culprit,
                finding: findings[deadline.instance], known: tolerated(culprit))
        }
        members += late.values.map { late in
            Member(
                deadline: late.deadline, label: late.label, site: late.site, creationStack: nil, goneAt: late.goneAt,
                culprit: search.culprit(of: late.deadline.instance), finding: nil, known: nil)
        }
        let deadlines = overdue.merging(late.mapValues(\.deadline)) { overdue, _ in overdue }
        let verdict = { (member: Member) in (deadlines[member.culprit] ?? member.deadline).fingerprint }
        let path = { (member: Member) in findings[member.culprit]?.explanation.fingerprint }
        groups = Self.grouped(members, verdict, path)
            .map { Group($0) { deadlines[$0.culprit] ?? $0.deadline } }.sorted(by: Self.isBefore)
    }

    /// The members by path, or by verdict where no path is known; those stand with the others of their verdict where all others
    /// have the same path.
    private static func grouped(
        _ members: [Member], _ verdict: (Member) -> Fingerprint, _ path: (Member) -> Fingerprint?
    ) -> [[Member]] {
        var paths: [Fingerprint: Set<Fingerprint>] = [:]
        for member in members {
            if let path = path(member) { paths[verdict(member), default: []].insert(path) }
        }
        let groups = Dictionary(grouping: members) { member in
            if let path = path(member) { return path }
            let verdict = verdict(member)
            guard let others = paths[verdict], others.count == 1 else { return verdict }
            return others.first ?? verdict
        }
        return Array(groups.values)
    }

    /// The deadline that each overdue instance missed first.
    private static func firstMissed(_ deadlines: [DeadlineRecord]) -> [InstanceID: DeadlineRecord] {
        Dictionary(deadlines.lazy.filter(\.isOverdue).map { ($0.instance, $0) }) { $0.due <= $1.due ? $0 : $1 }
    }

    private static func isBefore(_ left: Group, _ right: Group) -> Bool {
        if (left.known == nil) != (right.known == nil) { return left.known == nil }
        return (right.overdue, right.late, left.culprit.type.qualified, left.key)
            < (left.overdue, left.late, right.culprit.type.qualified, right.key)
    }
}

extension OverdueGroups.Group {
    fileprivate init(
        _ members: [OverdueGroups.Member], culpritOf: (OverdueGroups.Member) -> DeadlineRecord
    ) {
        self.members = members.sorted {
            ($0.rank, $0.culprit, $0.isVictim ? 1 : 0, $0.deadline.instance)
                < ($1.rank, $1.culprit, $1.isVictim ? 1 : 0, $1.deadline.instance)
        }
        culprit = culpritOf(self.members[0])
        finding = self.members.lazy.filter { !$0.isVictim }.compactMap(\.finding).first
        knownCount = members.count { $0.known != nil }
        late = members.count { $0.goneAt != nil }
        overdue = members.count - late
    }
}

extension OverdueGroups.Member {
    fileprivate var rank: Int { goneAt == nil ? 0 : 1 }
}
