extension LifetimeRegistry {
    /// Expects an object to be gone within a delay; if it is not, it is *overdue*, and *late* when it goes after all.
    ///
    /// The object is not retained, and its `deinit` pays next to nothing for the deadline. An object may have several.
    ///
    /// - Parameters:
    ///   - object: The object; it may have been born in another registry, which then keeps the deadline.
    ///   - delay: How long it may take, from 0 seconds to 365 days.
    ///   - reason: Why it should be gone, in words for people: "flow ended".
    ///   - file: Where this is expected.
    ///   - line: Where this is expected.
    /// - Returns: The deadline, to cancel it.
    /// - Throws: ``TracerError`` for a delay that makes no sense or when there are too many deadlines.
    @discardableResult
    public func expectDeallocation(
        of object: some Traced, within delay: Duration, because reason: String,
        file: StaticString = #fileID, line: UInt32 = #line
    ) throws(TracerError) -> Deadline {
        try object.lifetimeRegistry.expectDeallocation(
            ofInstance: object.lifetimeID, within: delay, because: reason, file: file, line: line)
    }

    /// Expects an instance of this registry, of which only the id is at hand, to be gone within a delay.
    ///
    /// - Throws: ``TracerError`` when the instance has gone already, for a delay that makes no sense or when there are too
    ///   many deadlines.
    @discardableResult
    public func expectDeallocation(
        ofInstance id: InstanceID, within delay: Duration, because reason: String,
        file: StaticString = #fileID, line: UInt32 = #line
    ) throws(TracerError) -> Deadline {
        let delay = try Delay.validated(delay)
        try requireLive(id, for: "be expected to go")
        let site = SourceSite(file: file, line: line)
        let cause = DeadlineCause.stated(reason.isEmpty ? "no reason given" : reason)
        guard let deadline = addDeadline(id, cause, within: delay, site: site) else {
            if store.isLive(id) {
                throw TracerError(
                    .deadlineTableFull, "There are \(configuration.deadlineLimit) deadlines in force already.",
                    hint: "Cancel those that no longer matter, or raise the registry's `deadlineLimit`.")
            }
            try requireLive(id, for: "be expected to go")
            preconditionFailure("instance \(id) came back to life")
        }
        return deadline
    }

    /// Sets the deadline of a node that has left its tree, unless it is exempt or has one for leaving already.
    func expectGone(_ id: InstanceID, afterLeaving way: DeadlineCause.WayOut, within delay: Duration?) {
        let isExempt = annotations.withLock { $0.entries[id]?.exemption != nil }
        guard !isExempt else { return }
        if way == .parentGone {
            // One that was removed together with its parent keeps the first reason.
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

    /// Adds a deadline for an instance that is live.
    ///
    /// - Returns: `nil` when the instance is not live or there is no room.
    private func addDeadline(
        _ id: InstanceID, _ cause: DeadlineCause, within delay: Duration, site: SourceSite?
    ) -> Deadline? {
        guard store.watch(id), let (type, creationSite) = store.typeAndSite(of: id) else { return nil }
        let now = clock.now()
        let entry = DeadlineTable.Entry(
            instance: id, type: type, cause: cause, setAt: now, within: delay, due: now + delay, site: site,
            creationSite: creationSite.ifKnown)
        let added = deadlines.withLock { deadlines -> DeadlineID? in
            guard let added = deadlines.add(entry) else { return nil }
            // It may have died since it was watched, in which case its death has already looked for deadlines.
            if !store.isLive(id) {
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
