import LifetimeTracer

/// The lifetimes that fall into the last seconds, in lanes by type.
struct Timeline {
    /// The most lifetimes of a lane.
    static let lifetimesPerLane = 200
    /// The most live instances that are looked at, the youngest; those before count as born before.
    static let instancesLookedAt = 20_000

    /// When an instance was there.
    struct Lifetime: Sendable {
        let id: InstanceID
        /// When it was born; `nil` where that is no longer remembered.
        let bornAt: MonotonicTime?
        /// Since when it was or is overdue; `nil` where it never was.
        let overdueAt: MonotonicTime?
        /// When it went; `nil` while it is live.
        let goneAt: MonotonicTime?
        let label: String?

        var isOverdue: Bool { overdueAt != nil && goneAt == nil }

        /// What counts most stands first: overdue, late, then those that were there last.
        fileprivate static func isBefore(_ left: Self, _ right: Self) -> Bool {
            let (first, second) = (left.rank, right.rank)
            if first != second { return first < second }
            return (right.goneAt?.nanoseconds ?? .max, right.id) < (left.goneAt?.nanoseconds ?? .max, left.id)
        }

        private var rank: Int { overdueAt == nil ? 2 : goneAt == nil ? 0 : 1 }
    }

    /// The lifetimes of a type.
    struct Lane: Sendable {
        let type: TypeName
        /// In the order of their ids.
        let lifetimes: [Lifetime]
        /// Live instances born before the first moment that is shown, without those that are overdue.
        let liveSinceBefore: UInt64
        /// Lifetimes that had no room.
        let hidden: Int
        /// From when on none is missing that had gone; `nil` where none is missing.
        let completeSince: MonotonicTime?
        /// How many are overdue.
        let overdue: Int
    }

    /// The first moment that is shown.
    let start: MonotonicTime
    /// From when on all deaths are remembered that were; `nil` where none had to be forgotten.
    let deathsSince: MonotonicTime?
    /// Whether each death is remembered; else only of instances that somebody had listed or of which something was known.
    let coversAllDeaths: Bool
    /// The lanes: those with something overdue first, then by name.
    let lanes: [Lane]

    /// Puts the lanes together.
    ///
    /// Looks at the instances born since `start`, at most ``instancesLookedAt``, and at all that are overdue or remembered.
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

    private static func lane(_ type: TypeName, _ lifetimes: [Lifetime], live: UInt64) -> Lane {
        let ordered = lifetimes.sorted(by: Lifetime.isBefore)
        let (shown, hidden) = (ordered.prefix(lifetimesPerLane), ordered.dropFirst(lifetimesPerLane))
        let listed = UInt64(lifetimes.count { $0.goneAt == nil })
        return Lane(
            type: type, lifetimes: shown.sorted { $0.id < $1.id }, liveSinceBefore: live > listed ? live - listed : 0,
            hidden: hidden.count, completeSince: hidden.compactMap(\.goneAt).max(),
            overdue: lifetimes.count(where: \.isOverdue))
    }

    /// Those that went since a moment.
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
        // Their deaths are no longer remembered, but that they were late is.
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

    /// Those that are live and were born since a moment or are overdue.
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
