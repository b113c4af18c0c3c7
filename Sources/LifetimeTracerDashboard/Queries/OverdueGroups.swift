import LifetimeTracer
import RetainPaths

/// The overdue and late instances of a snapshot, grouped by the fingerprint of their culprits.
///
/// Owners and parents determine the culprits, and so do retain paths where a search has found them. The fingerprint of
/// a path distinguishes leaks whose verdicts are equal.
struct OverdueGroups: Sendable {
    /// The most members of a group that a response lists.
    static let shownMembers = 100

    /// An overdue or late instance.
    ///
    /// A class, because members are grouped and sorted, and the data of a member is large.
    final class Member: Sendable {
        /// The first deadline that the instance missed.
        let deadline: DeadlineRecord
        let label: String?
        /// The creation site.
        let site: SourceSite?
        /// The creation stack; `nil` if none was recorded, or after the instance's death.
        let creationStack: CreationStack?
        /// The time of death; `nil` while the instance is overdue.
        let goneAt: MonotonicTime?
        /// The culprit; the instance itself if it is not a victim.
        let culprit: InstanceID
        /// The result of the search for the instance, if a search has covered it.
        let finding: RetainFinding?
        /// The known leak that applies to the culprit.
        let known: KnownLeakEntry?

        init(
            deadline: DeadlineRecord, label: String?, site: SourceSite?, creationStack: CreationStack?,
            goneAt: MonotonicTime?, culprit: InstanceID, finding: RetainFinding?, known: KnownLeakEntry?
        ) {
            self.deadline = deadline
            self.label = label
            self.site = site
            self.creationStack = creationStack
            self.goneAt = goneAt
            self.culprit = culprit
            self.finding = finding
            self.known = known
        }

        var isVictim: Bool { culprit != deadline.instance }
    }

    /// Instances that are live, or were late, for the same reason.
    ///
    /// A class, because groups are sorted, and the data of a group is large.
    final class Group: Sendable {
        /// The deadline of a culprit.
        let culprit: DeadlineRecord
        /// The search result of a culprit, if a search has covered it.
        let finding: RetainFinding?
        /// The instances: overdue ones before late ones, each culprit before its victims.
        let members: [Member]
        /// The number of overdue instances.
        let overdue: Int
        /// The number of late instances.
        let late: Int
        /// The number of overdue culprits.
        let culprits: Int
        /// The number of overdue instances that a known leak explains.
        let knownCount: Int

        fileprivate init(_ members: [Member], culpritOf: (Member) -> DeadlineRecord) {
            let sorted = members.sorted {
                ($0.rank, $0.culprit, $0.isVictim ? 1 : 0, $0.deadline.instance)
                    < ($1.rank, $1.culprit, $1.isVictim ? 1 : 0, $1.deadline.instance)
            }
            self.members = sorted
            culprit = culpritOf(sorted[0])
            finding = sorted.lazy.filter { !$0.isVictim }.compactMap(\.finding).first
            knownCount = sorted.count { $0.known != nil }
            late = sorted.count { $0.goneAt != nil }
            overdue = sorted.count - late
            culprits = sorted.count { !$0.isVictim && $0.goneAt == nil }
        }

        /// The known leak of the group; `nil` unless a known leak explains every overdue instance.
        var known: KnownLeakEntry? { overdue > 0 && knownCount == overdue ? members.first?.known : nil }

        /// The key that identifies the group.
        var key: UInt64 { (finding?.explanation.fingerprint ?? culprit.fingerprint).rawValue }
    }

    /// The groups, most overdue instances first; groups of known leaks come last.
    let groups: [Group]

    /// Groups the instances of a snapshot.
    ///
    /// - Parameters:
    ///   - findings: The search results, by instance.
    ///   - acknowledged: The leaks that were acknowledged while the process runs.
    init(
        _ snapshot: Snapshot, findings: [InstanceID: RetainFinding] = [:], acknowledged: [AcknowledgedLeaks.Leak] = []
    ) {
        let deadlines = snapshot.deadlinesOfOverdue
        // Positions, because the data of a deadline is large.
        let firstMissed = Self.firstMissed(deadlines)
        let overdue = { (id: InstanceID) in firstMissed[id].map { deadlines[$0] } }
        let byFingerprint = Dictionary(acknowledged.map { ($0.fingerprint, $0) }) { first, _ in first }
        let byInstance = Dictionary(acknowledged.flatMap { leak in leak.instances.map { ($0, leak) } }) { first, _ in
            first
        }
        let knownLeak = { (culprit: InstanceID) -> KnownLeakEntry? in
            let explanation = findings[culprit]?.explanation
            if let known = explanation?.known { return KnownLeakEntry(known) }
            let ofPath = explanation?.fingerprint.flatMap { byFingerprint[$0] }
            let ofVerdict = (overdue(culprit)?.fingerprint).flatMap { byFingerprint[$0] }
            // A current search result takes precedence over the result at the time of the acknowledgement.
            let ofFormerPath = explanation == nil ? byInstance[culprit] : nil
            return (ofPath ?? ofVerdict ?? ofFormerPath).map(KnownLeakEntry.init)
        }
        let late = Dictionary(snapshot.late.map { ($0.deadline.instance, $0) }) { first, _ in first }
        let isSuspect = { (id: InstanceID) in firstMissed[id] != nil || late[id] != nil }
        let holders = { (id: InstanceID) -> [InstanceID] in
            if let late = late[id] { return late.owner.map { [$0] } ?? [] }
            let declared = snapshot.holders(of: id)
            guard !findings.isEmpty, let finding = findings[id], snapshot.isLive(id) else { return declared }
            if let culprit = finding.explanation.culprit { return [culprit] }
            // A declared holder that the same search covered, and that is not the culprit, does not hold the instance.
            // Holders with the same fingerprint are an exception: they and the instance hold each other.
            return declared.filter { holder in
                guard let other = findings[holder], other.foundAt == finding.foundAt else { return true }
                return other.explanation.fingerprint == finding.explanation.fingerprint
            }
        }
        var search = CulpritSearch(holders: holders, isSuspect: isSuspect)
        var members = firstMissed.values.map { position in
            let deadline = deadlines[position]
            let instance = snapshot.instance(deadline.instance)
            let culprit = search.culprit(of: deadline.instance)
            return Member(
                deadline: deadline, label: instance?.label, site: instance?.site,
                creationStack: instance?.creationStack, goneAt: nil, culprit: culprit,
                finding: findings[deadline.instance], known: knownLeak(culprit))
        }
        members += late.values.map { late in
            Member(
                deadline: late.deadline, label: late.label, site: late.site, creationStack: nil, goneAt: late.goneAt,
                culprit: search.culprit(of: late.deadline.instance), finding: nil, known: nil)
        }
        let deadlineOfCulprit = { (member: Member) in
            member.isVictim
                ? overdue(member.culprit) ?? late[member.culprit]?.deadline ?? member.deadline : member.deadline
        }
        let verdict = { (member: Member) in deadlineOfCulprit(member).fingerprint }
        let path = { (member: Member) in findings[member.culprit]?.explanation.fingerprint }
        groups = Self.grouped(members, verdict, path)
            .map { Group($0, culpritOf: deadlineOfCulprit) }.sorted(by: Self.isBefore)
    }

    /// Groups the members by the path fingerprint of their culprit, or by the verdict fingerprint if no path is known.
    ///
    /// A member without a path joins the path of its verdict if all paths of that verdict are the same.
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

    /// Returns the position of the first deadline that each overdue instance missed.
    private static func firstMissed(_ deadlines: [DeadlineRecord]) -> [InstanceID: Int] {
        var first: [InstanceID: Int] = [:]
        first.reserveCapacity(deadlines.count)
        for position in deadlines.indices {
            let deadline = deadlines[position]
            if let other = first[deadline.instance], deadlines[other].due <= deadline.due { continue }
            first[deadline.instance] = position
        }
        return first
    }

    private static func isBefore(_ left: Group, _ right: Group) -> Bool {
        if (left.known == nil) != (right.known == nil) { return left.known == nil }
        return (right.overdue, right.late, left.culprit.type.qualified, left.key)
            < (left.overdue, left.late, right.culprit.type.qualified, right.key)
    }
}

extension OverdueGroups.Member {
    fileprivate var rank: Int { goneAt == nil ? 0 : 1 }
}
