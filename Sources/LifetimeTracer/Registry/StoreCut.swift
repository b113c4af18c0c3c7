import CLifetimeRuntime

extension InstanceStore {
    /// All instances and all counters at one instant.
    struct Cut: Sendable {
        let counters: Counters
        /// The records of the listed instances, in no order.
        let records: RecordList
        /// The types, sites and stacks that the records name.
        let contexts: [ContextTable.Entry]
        let times: Timebase.Translation
        /// How long no birth and no death could go on, while the counters were summed.
        let pause: Duration

        var at: MonotonicTime { counters.at }
    }

    /// The counters alone, at one instant: costs in proportion to the types, not to the instances.
    func counters() -> Counters {
        let now = clock.now()
        return catalog.withLock { catalog in
            var sums = catalog.makeSums()
            lt_lock_all()
            returnUnusedIDs()
            catalog.take(&sums)
            lt_unlock_all()
            return catalog.counters(sums, at: now)
        }
    }

    /// All instances and all counters at one instant: what is listed and not listed adds up to what is counted.
    ///
    /// All stripes are locked for the moment in which the counters are summed. The records are copied afterwards, without any
    /// lock: what is born meanwhile has a higher id than the last one before, and what dies meanwhile is logged by the
    /// thread on which it dies.
    func cut() -> Cut {
        Self.copying.withLock { snapshots in
            snapshots += 1
            let (counters, contexts, pause) = beginCut()
            let listed = Int(counters.live - counters.unlisted)
            let copier = RecordCopier(
                of: core, upTo: counters.lastID, count: listed, chunks: RecordArena.shared.withLock { $0.chunks })
            endCut(upTo: counters.lastID, copier)
            return Cut(
                counters: counters, records: copier.list(), contexts: contexts,
                times: timebase.translation(asOf: counters.at), pause: pause)
        }
    }

    /// How many snapshots have been copied; a stripe takes part in one at a time.
    private static let copying = Locked(UInt64(0))

    private func beginCut() -> (Counters, [ContextTable.Entry], Duration) {
        let now = clock.now()
        return catalog.withLock { catalog in
            var sums = catalog.makeSums()
            lt_lock_all()
            let start = SystemClock().now()
            returnUnusedIDs()
            catalog.take(&sums)
            let last = lt_last_id(core.pointer)
            for stripe in Stripes.all {
                stripe.pointee.snapshot = UnsafePointer(core.pointer)
                stripe.pointee.cut = last
                // Deaths in a scoped registry are never plain.
                if !core.isScoped { stripe.pointee.plain_span = 0 }
            }
            let end = SystemClock().now()
            lt_unlock_all()
            return (catalog.counters(sums, at: now), catalog.contexts.entries, end - start)
        }
    }

    private func endCut(upTo last: InstanceID, _ copier: RecordCopier) {
        var logs: [lt_death_log] = []
        logs.reserveCapacity(2 * Int(lt_stripe_count()))
        lt_lock_all()
        for stripe in Stripes.all {
            let log = lt_take_log(stripe)
            if log.count > 0 { logs.append(log) }
            stripe.pointee.snapshot = nil
            guard !core.isScoped else { continue }
            // What has been listed is worth remembering when it dies.
            stripe.pointee.plain = LT_LIVE + last.rawValue + 1
            stripe.pointee.plain_span = LT_SCOPED - (last.rawValue + 1)
        }
        lt_unlock_all()
        for log in logs {
            copier.add(log)
            lt_free_log(log)
        }
    }

    /// Takes the ids that stripes have set aside, so that later births have higher ones than those so far.
    ///
    /// All stripes are locked by the caller.
    private func returnUnusedIDs() {
        guard !core.isScoped else { return }
        for stripe in Stripes.all { lt_return_ids(stripe) }
    }
}
