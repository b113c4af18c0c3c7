/// Access to single facts of a snapshot, without records of all instances or types.
extension Snapshot {
    /// Returns the live instance with an id.
    package func instance(_ id: InstanceID) -> InstanceRecord? {
        contents.instance(id)
    }

    /// Returns the position of a live instance's type in ``liveByType``, and its time of birth.
    package func typeAndBirth(of id: InstanceID) -> (type: Int, bornAt: MonotonicTime)? {
        contents.typeAndBirth(of: id)
    }

    /// Returns the declared holders of a live instance: its owner if that is live, and its parent.
    package func holders(of id: InstanceID) -> [InstanceID] {
        contents.holders(of: id)
    }

    /// Whether an instance was live.
    package func isLive(_ id: InstanceID) -> Bool {
        contents.isLive(id)
    }

    /// Returns the label of a live instance.
    package func label(of id: InstanceID) -> String? {
        contents.label(of: id)
    }

    /// The earliest missed deadline of each overdue instance.
    package var overdueSince: [InstanceID: MonotonicTime] {
        contents.overdueSince()
    }

    /// The missed deadlines of live instances, oldest first.
    package var deadlinesOfOverdue: [DeadlineRecord] {
        contents.deadlinesOfOverdue()
    }

    /// The types with more live instances than their budget, or their group's budget, allows.
    package var typesOverBudget: Set<TypeName> {
        contents.typesOverBudget()
    }

    /// The numbers of live instances by type, in the order of ``types``.
    package var liveByType: [(type: TypeName, live: Int)] {
        counters.types.map { ($0.name, $0.live) }
    }

    /// Calls `body` with the id, the type's position in ``liveByType`` and the time of birth of each live instance that
    /// was born since a time and is not overdue, youngest first.
    ///
    /// - Parameter limit: The most instances.
    package func forEachBirth(
        since start: MonotonicTime, atMost limit: Int, _ body: (InstanceID, Int, MonotonicTime) -> Void
    ) {
        contents.forEachBirth(since: start, atMost: limit, body)
    }
}
