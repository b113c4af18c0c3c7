import LifetimeTracer

/// The lifetimes within the last seconds, in lanes by type.
struct Timeline {
    /// The most lifetimes in a lane.
    static let lifetimesPerLane = 200
    /// The most live instances that the timeline examines, youngest first; older ones count as born before its start.
    static let instancesLookedAt = 20_000

    /// The time from the birth to the death of an instance.
    struct Lifetime: Sendable {
        let id: InstanceID
        /// The time of birth; `nil` if it is no longer remembered.
        let bornAt: MonotonicTime?
        /// The time since which the instance is or was overdue; `nil` if it never was.
        let overdueAt: MonotonicTime?
        /// The time of death; `nil` while the instance is live.
        let goneAt: MonotonicTime?
        let label: String?

        var isOverdue: Bool { overdueAt != nil && goneAt == nil }

        /// Sorts by importance: overdue, then late, then all others; within each group, the live ones and then the last
        /// deaths.
        fileprivate static func isBefore(_ left: Self, _ right: Self) -> Bool {
            let (first, second) = (left.rank, right.rank)
            if first != second { return first < second }
            return (right.goneAt?.nanoseconds ?? .max, right.id) < (left.goneAt?.nanoseconds ?? .max, left.id)
        }

        private var rank: Int { overdueAt == nil ? 2 : goneAt == nil ? 0 : 1 }
    }

    /// The lifetimes of the instances of a type.
    struct Lane: Sendable {
        let type: TypeName
        /// The lifetimes, sorted by id.
        let lifetimes: [Lifetime]
        /// The number of live instances that were born before the timeline's start and are not overdue.
        let liveSinceBefore: Int
        /// The number of lifetimes above the limit of the lane.
        let hidden: Int
        /// The time after which no ended lifetime is missing from the lane; `nil` if no ended lifetime is hidden.
        let completeSince: MonotonicTime?
        /// The number of overdue instances.
        let overdue: Int
        /// The number of live instances, drawn or not.
        let live: Int
        /// The number of instances that died in the period, drawn or not.
        let died: Int
        /// The number of instances that died in the period after their deadlines.
        let late: Int
    }

    /// The start of the timeline.
    let start: MonotonicTime
    /// The time since which no remembered death has been dropped; `nil` if none has been dropped at all.
    let deathsSince: MonotonicTime?
    /// Whether the registry remembers every death.
    ///
    /// Otherwise it remembers deaths only of instances that a snapshot listed, whose id was read, or that were watched.
    let coversAllDeaths: Bool
    /// The lanes: those with overdue instances first, then by type name.
    let lanes: [Lane]

    /// Creates a timeline.
    ///
    /// Examines the instances born since `start`, at most ``instancesLookedAt``, and all overdue instances and
    /// remembered deaths.
    init(
        _ snapshot: Snapshot, _ deaths: RememberedDeaths, since start: MonotonicTime,
        where isIncluded: (TypeName) -> Bool = { _ in true }
    ) {
        self.start = start
        deathsSince = deaths.forgotten > 0 ? deaths.records.first?.diedAt : nil
        coversAllDeaths = deaths.coversAll
        let gone = Self.gone(snapshot, deaths, since: start)
        let live = Self.live(snapshot, since: start)
        var byType = Dictionary(grouping: gone + live) { $0.type }.mapValues { $0.map(\.lifetime) }
        for record in snapshot.types where record.live > 0 && byType[record.type] == nil { byType[record.type] = [] }
        let liveCounts = Dictionary(snapshot.types.map { ($0.type, $0.live) }) { first, _ in first }
        lanes = byType.filter { isIncluded($0.key) }
            .map { Self.lane($0.key, $0.value, live: liveCounts[$0.key] ?? 0) }
            .sorted { left, right in
                let (first, second) = (left.overdue > 0 ? 0 : 1, right.overdue > 0 ? 0 : 1)
                return (first, left.type.qualified) < (second, right.type.qualified)
            }
    }

    private typealias Entry = (type: TypeName, lifetime: Lifetime)

    private static func lane(_ type: TypeName, _ lifetimes: [Lifetime], live: Int) -> Lane {
        let ordered = lifetimes.sorted(by: Lifetime.isBefore)
        let (shown, hidden) = (ordered.prefix(lifetimesPerLane), ordered.dropFirst(lifetimesPerLane))
        let listed = lifetimes.count { $0.goneAt == nil }
        return Lane(
            type: type, lifetimes: shown.sorted { $0.id < $1.id }, liveSinceBefore: live > listed ? live - listed : 0,
            hidden: hidden.count, completeSince: hidden.compactMap(\.goneAt).max(),
            overdue: lifetimes.count(where: \.isOverdue), live: max(live, listed),
            died: lifetimes.count { $0.goneAt != nil },
            late: lifetimes.count { $0.goneAt != nil && $0.overdueAt != nil })
    }

    /// Returns the instances that died since a time.
    private static func gone(
        _ snapshot: Snapshot, _ deaths: RememberedDeaths, since start: MonotonicTime
    ) -> [Entry] {
        var late: [InstanceID: LateRecord] = [:]
        for record in snapshot.late where record.goneAt >= start { late[record.deadline.instance] = record }
        var entries: [Entry] = deaths.records.filter { $0.diedAt >= start }.map { death in
            let late = late.removeValue(forKey: death.instance)
            return (
                death.type,
                Lifetime(
                    id: death.instance, bornAt: death.bornAt, overdueAt: late?.deadline.due, goneAt: death.diedAt,
                    label: late?.label)
            )
        }
        // Late instances whose deaths are no longer remembered.
        entries += late.values.map { late in
            (
                late.deadline.type,
                Lifetime(
                    id: late.deadline.instance, bornAt: nil, overdueAt: late.deadline.due, goneAt: late.goneAt,
                    label: late.label)
            )
        }
        return entries
    }

    /// Returns the live instances that were born since a time or are overdue.
    private static func live(_ snapshot: Snapshot, since start: MonotonicTime) -> [Entry] {
        var overdueSince: [InstanceID: MonotonicTime] = [:]
        for deadline in snapshot.deadlines where deadline.isOverdue {
            overdueSince[deadline.instance] = min(overdueSince[deadline.instance] ?? deadline.due, deadline.due)
        }
        var found: [InstanceRecord] = []
        for instance in snapshot.instances.reversed().prefix(instancesLookedAt) {
            guard instance.bornAt >= start else { break }
            found.append(instance)
        }
        let young = Set(found.map(\.id))
        found += overdueSince.keys.filter { !young.contains($0) }.compactMap(snapshot.instance)
        return found.map { instance in
            (
                instance.type,
                Lifetime(
                    id: instance.id, bornAt: instance.bornAt, overdueAt: overdueSince[instance.id], goneAt: nil,
                    label: instance.label)
            )
        }
    }
}
