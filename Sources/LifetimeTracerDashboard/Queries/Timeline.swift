import LifetimeTracer

/// The lifetimes within the last seconds, in lanes by type.
struct Timeline {
    /// The most lifetimes of a lane that are considered for drawing.
    static let spansPerLane = 200
    /// The most live instances that the timeline examines, youngest first; older ones count as born before its start.
    static let instancesLookedAt = 20_000

    /// The time from the birth to the death of an instance, and its label.
    struct Lifetime: Sendable {
        let span: Span
        let label: String?
    }

    /// The time from the birth to the death of an instance.
    ///
    /// Contains no references, so that thousands of spans are sorted quickly.
    struct Span: Sendable {
        let id: InstanceID
        /// The time of birth; `nil` if it is no longer remembered.
        let bornAt: MonotonicTime?
        /// The time since which the instance is or was overdue; `nil` if it never was.
        let overdueAt: MonotonicTime?
        /// The time of death; `nil` while the instance is live.
        let goneAt: MonotonicTime?

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
        /// The lifetimes for which the drawing has room, sorted by id.
        let lifetimes: [Lifetime]
        /// The number of live instances that were born before the timeline's start and are not overdue.
        let liveSinceBefore: Int
        /// The number of lifetimes for which the drawing has no room.
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
        let types = snapshot.liveByType
        var contents = Self.live(snapshot, since: start, typeCount: types.count)
        var positions: [TypeName: Int] = [:]
        for (position, type) in types.enumerated() { positions[type.type] = position }
        let (gone, lateLabels) = Self.gone(snapshot, deaths, since: start)
        for (type, span) in gone {
            // The snapshot is later than the deaths, so it has their types.
            if let position = positions[type] { contents[position].spans.append(span) }
        }
        lanes = types.indices.filter { position in
            let (type, live) = types[position]
            return (live > 0 || !contents[position].spans.isEmpty) && isIncluded(type)
        }
        .map { position in
            let (type, live) = types[position]
            return Self.lane(type, contents[position], live: live, from: start, to: snapshot.takenAt) {
                lateLabels[$0] ?? snapshot.label(of: $0)
            }
        }
        .sorted { left, right in
            let (first, second) = (left.overdue > 0 ? 0 : 1, right.overdue > 0 ? 0 : 1)
            return (first, left.type.qualified) < (second, right.type.qualified)
        }
    }

    /// The instances of a type that were born or died since the start, or are overdue.
    private struct Contents {
        /// Their spans, except those of ``unlistedBirths``.
        var spans: [Span] = []
        /// The number of live instances that are older than as many as a lane has room for.
        var unlistedBirths = 0
    }

    private static func lane(
        _ type: TypeName, _ contents: Contents, live: Int, from start: MonotonicTime, to end: MonotonicTime,
        label: (InstanceID) -> String?
    ) -> Lane {
        let spans = contents.spans
        let ordered = spans.sorted(by: Span.isBefore)
        let rows = TimelineRows(ordered.prefix(spansPerLane), from: start, to: end)
        let hidden = rows.leftOut + ordered.dropFirst(spansPerLane)
        let died = spans.count { $0.goneAt != nil }
        let listed = spans.count - died + contents.unlistedBirths
        return Lane(
            type: type,
            lifetimes: rows.drawn.sorted { $0.id < $1.id }.map { Lifetime(span: $0, label: label($0.id)) },
            liveSinceBefore: live > listed ? live - listed : 0, hidden: hidden.count + contents.unlistedBirths,
            completeSince: hidden.lazy.compactMap(\.goneAt).max(), overdue: spans.count(where: \.isOverdue),
            live: max(live, listed), died: died, late: spans.count { $0.goneAt != nil && $0.overdueAt != nil })
    }

    /// Returns the instances that died since a time, and the labels of late ones.
    private static func gone(
        _ snapshot: Snapshot, _ deaths: RememberedDeaths, since start: MonotonicTime
    ) -> (spans: [(type: TypeName, span: Span)], labels: [InstanceID: String]) {
        var late: [InstanceID: LateRecord] = [:]
        for record in snapshot.late where record.goneAt >= start { late[record.deadline.instance] = record }
        let labels = late.compactMapValues(\.label)
        var found: [(type: TypeName, span: Span)] = deaths.records.filter { $0.diedAt >= start }.map { death in
            let late = late.isEmpty ? nil : late.removeValue(forKey: death.instance)
            return (
                death.type,
                Span(id: death.instance, bornAt: death.bornAt, overdueAt: late?.deadline.due, goneAt: death.diedAt)
            )
        }
        // Late instances whose deaths are no longer remembered.
        found += late.values.map { late in
            (
                late.deadline.type,
                Span(id: late.deadline.instance, bornAt: nil, overdueAt: late.deadline.due, goneAt: late.goneAt)
            )
        }
        return (found, labels)
    }

    /// Returns the live instances that were born since a time or are overdue, by the position of their type.
    private static func live(_ snapshot: Snapshot, since start: MonotonicTime, typeCount: Int) -> [Contents] {
        var found = [Contents](repeating: Contents(), count: typeCount)
        snapshot.forEachBirth(since: start, atMost: instancesLookedAt) { id, type, bornAt in
            // Youngest first, so that a lane has no room for further ones.
            if found[type].spans.count < spansPerLane {
                found[type].spans.append(Span(id: id, bornAt: bornAt, overdueAt: nil, goneAt: nil))
            } else {
                found[type].unlistedBirths += 1
            }
        }
        for (id, overdueAt) in snapshot.overdueSince {
            guard let (type, bornAt) = snapshot.typeAndBirth(of: id) else { continue }
            found[type].spans.append(Span(id: id, bornAt: bornAt, overdueAt: overdueAt, goneAt: nil))
        }
        return found
    }
}
