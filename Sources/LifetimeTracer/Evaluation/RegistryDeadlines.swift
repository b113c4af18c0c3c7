extension LifetimeRegistry {
    /// Sets a deadline for an object: if the object is live after a delay, it is *overdue*, and *late* once it dies.
    ///
    /// The object is not retained, and the deadline adds next to nothing to the cost of its `deinit`. An object may
    /// have several deadlines.
    ///
    /// - Parameters:
    ///   - object: The object; if it was born in another registry, that registry keeps the deadline.
    ///   - delay: The time allowed for deallocation, from 0 seconds to 365 days.
    ///   - reason: A human-readable reason for the deadline: "flow ended".
    ///   - file: The file in which the deadline is set.
    ///   - line: The line in which the deadline is set.
    /// - Returns: The deadline, which can be removed.
    /// - Throws: ``TracerError`` if the delay is out of range or the registry has too many deadlines.
    @discardableResult
    public func expectDeallocation(
        of object: some Traced, within delay: Duration, because reason: String,
        file: StaticString = #fileID, line: Int = #line
    ) throws(TracerError) -> Deadline {
        defer { withExtendedLifetime(object) {} }
        return try object.lifetimeRegistry.setDeadline(
            of: object.lifetimeID, isHeld: true, within: delay, because: reason,
            at: SourceSite(file: file, line: line))
    }

    /// Sets a deadline for an instance of this registry of which only the id is known.
    ///
    /// - Throws: ``TracerError`` if the instance has died, the delay is out of range, or the registry has too many
    ///   deadlines.
    @discardableResult
    public func expectDeallocation(
        ofInstance id: InstanceID, within delay: Duration, because reason: String,
        file: StaticString = #fileID, line: Int = #line
    ) throws(TracerError) -> Deadline {
        try setDeadline(
            of: id, isHeld: false, within: delay, because: reason, at: SourceSite(file: file, line: line))
    }

    private func setDeadline(
        of id: InstanceID, isHeld: Bool, within delay: Duration, because reason: String, at site: SourceSite
    ) throws(TracerError) -> Deadline {
        let delay = try Delay.validated(delay)
        try requireLive(id, for: "have a deadline")
        let cause = DeadlineCause.stated(reason.isEmpty ? "no reason given" : reason)
        guard let deadline = addDeadline(id, isHeld: isHeld, cause, within: delay, site: site) else {
            if store.isLive(id) {
                throw TracerError(
                    .deadlineTableFull, "The limit of \(configuration.deadlineLimit) deadlines in force is reached.",
                    hint: "Remove deadlines that are no longer needed, or raise the registry's `deadlineLimit`.")
            }
            try requireLive(id, for: "have a deadline")
            preconditionFailure("instance \(id) is live again after its death")
        }
        return deadline
    }

    /// Sets the deadline of a node that has left its tree, unless the node is exempt or already has such a deadline.
    func expectGone(_ id: InstanceID, afterLeaving way: DeadlineCause.WayOut, within delay: Duration?) {
        let isExempt = annotations.withLock { $0.entries[id]?.exemption != nil }
        guard !isExempt else { return }
        if way == .parentGone {
            // A node that was removed before its parent died keeps the first reason.
            guard !deadlines.withLock({ $0.hasLeavingDeadline(id) }) else { return }
        } else {
            cancelLeavingDeadlines(of: id)
        }
        _ = addDeadline(id, .left(way), within: delay ?? configuration.leavingDelay, site: nil)
    }

    func cancelLeavingDeadlines(of id: InstanceID) {
        deadlines.withLock { $0.cancelLeaving(of: id) }
    }

    func cancelDeadline(_ id: DeadlineID) -> Bool {
        deadlines.withLock { $0.cancel(id) }
    }

    /// Adds a deadline for a live instance.
    ///
    /// - Returns: `nil` if the instance is not live or the table is full.
    private func addDeadline(
        _ id: InstanceID, isHeld: Bool = false, _ cause: DeadlineCause, within delay: Duration, site: SourceSite?
    ) -> Deadline? {
        guard store.watch(id, for: .deadline, isHeld: isHeld), let (type, creationSite) = store.typeAndSite(of: id)
        else { return nil }
        let now = clock.now()
        let entry = DeadlineTable.Entry(
            instance: id, type: type, cause: cause, setAt: now, within: delay, due: now + delay, site: site,
            creationSite: creationSite.ifKnown)
        let added = deadlines.withLock { deadlines -> DeadlineID? in
            guard let added = deadlines.add(entry) else { return nil }
            // The instance may have died since it was watched. Then its death has already looked for deadlines.
            if !isHeld, !store.isLive(id) {
                _ = deadlines.cancel(added)
                return nil
            }
            return added
        }
        guard let added else { return nil }
        thread.wake(by: entry.due)
        return Deadline(id: added, registry: self, instance: id)
    }
}
