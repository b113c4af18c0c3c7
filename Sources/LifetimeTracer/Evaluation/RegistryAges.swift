import CLifetimeRuntime

extension LifetimeRegistry {
    /// Sets the maximum age of a type's instances: "no request handler lives longer than a minute".
    ///
    /// An instance that lives longer is *overdue*, with that reason, and *late* once it dies. No call is needed for
    /// each object, and births cost nothing more. The registry searches for old instances when one can be too old, at
    /// most once a second; a search reads all live instances. At most 10,000 instances are overdue for this reason at a
    /// time; further ones are counted as dropped.
    ///
    /// - Parameters:
    ///   - age: The maximum age, from 0 seconds to 365 days; `nil` removes the maximum age. Instances that are overdue
    ///     because of the earlier maximum age are no longer, unless they exceed the new one.
    ///   - type: The type itself, without its subclasses.
    /// - Throws: ``TracerError`` if the age is out of range.
    public func setMaximumAge(_ age: Duration?, for type: AnyClass) throws(TracerError) {
        if let age { _ = try Delay.validated(age) }
        let index = store.index(of: type)
        let name = name(of: type)
        let now = clock.now()
        guard ageLimits.withLock({ $0.set(age, for: index, at: now) }) else { return }
        deadlines.withLock { $0.cancelAgeDeadlines(of: name) }
        thread.wake(by: now)
    }

    /// Gives each instance that has exceeded its type's maximum age a deadline in the past.
    func findOldInstances(at now: MonotonicTime) {
        let limits = ageLimits.withLock { table in
            table.nextLook.map { $0 <= now } == true ? table.limits : [:]
        }
        guard !limits.isEmpty else { return }
        let times = store.timebase.translation(asOf: now)
        var firstDue: MonotonicTime?
        var found: [(instance: InstanceID, age: Duration, bornAt: MonotonicTime)] = []
        var dropped = 0
        store.forEachRecord { record, place in
            let type = TypeIndex(rawValue: Int32(lt_type_at(lt_context_at(record.context).pointee.type).position))
            guard let age = limits[type] else { return }
            let bornAt = times.time(record.word1 >> UInt64(LT_CONTEXT_BITS))
            guard bornAt + age <= now else {
                firstDue = min(firstDue ?? bornAt + age, bornAt + age)
                return
            }
            // Twice the limit, because the instances that are overdue already are found again.
            guard found.count < 2 * AgeLimitTable.overdueLimit else {
                dropped += 1
                return
            }
            let id = InstanceID(rawValue: record.word0 & LT_ID_MASK, place: UInt(bitPattern: place))
            found.append((id, age, bornAt))
        }
        for (instance, age, bornAt) in found where !addAgeDeadline(instance, age, bornAt: bornAt) { dropped += 1 }
        ageLimits.withLock { table in
            table.dropped += dropped
            table.plan(after: now, firstDue: firstDue)
        }
    }

    /// - Returns: `false` if there is no room for the deadline.
    private func addAgeDeadline(_ id: InstanceID, _ age: Duration, bornAt: MonotonicTime) -> Bool {
        let (isKnown, hasRoom) = deadlines.withLock {
            ($0.hasAgeDeadline(id), $0.byAge.count < AgeLimitTable.overdueLimit)
        }
        guard !isKnown else { return true }
        guard hasRoom else { return false }
        guard store.watch(id, for: .deadline), let (type, creationSite) = store.typeAndSite(of: id) else { return true }
        let entry = DeadlineTable.Entry(
            instance: id, type: type, cause: .age(age), setAt: bornAt, within: age, due: bornAt + age, site: nil,
            creationSite: creationSite.ifKnown)
        return deadlines.withLock { deadlines in
            guard let added = deadlines.add(entry) else { return false }
            // The instance may have died since it was watched. Then its death has already looked for deadlines.
            if !store.isLive(id) { _ = deadlines.cancel(added) }
            return true
        }
    }
}
