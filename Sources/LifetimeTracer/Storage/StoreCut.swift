import CLifetimeRuntime

extension InstanceStore {
    /// All instances and counters of a store at one instant.
    struct Cut: Sendable {
        let counters: Counters
        /// The records of the listed instances, in unspecified order.
        let records: RecordList
        /// The types, sites and stacks that the records refer to.
        let contexts: [ContextTable.Entry]
        let times: Timebase.Translation
        /// How long births and deaths were blocked while the counters were summed.
        let pause: Duration

        var at: MonotonicTime { counters.at }
    }

    /// Returns the counters at one instant; the cost is proportional to the number of types, not of instances.
    func counters() -> Counters {
        let now = clock.now()
        return catalog.withLock { catalog in
            var sums = catalog.makeSums()
            lt_claim_all()
            returnUnusedIDs()
            catalog.take(&sums)
            lt_release_all()
            return catalog.counters(sums, at: now)
        }
    }

    /// Returns all instances and all counters at one instant; the listed and unlisted instances add up to the counts.
    ///
    /// All stripes are claimed while the counters are summed, and again while the logs of deaths are collected. In
    /// between the records are copied without any lock. An instance that is born meanwhile has a higher id than the
    /// last one before the cut. An instance that dies meanwhile is logged by the thread on which it dies.
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

    /// The number of cuts so far; the lock lets one cut run at a time, because a stripe can take part in only one.
    private static let copying = Locked(UInt64(0))

    private func beginCut() -> (Counters, [ContextTable.Entry], Duration) {
        let now = clock.now()
        return catalog.withLock { catalog in
            var sums = catalog.makeSums()
            lt_claim_all()
            let start = SystemClock().now()
            returnUnusedIDs()
            catalog.take(&sums)
            let last = lt_last_id(core.pointer)
            // Safe: this store is in use, so its core is valid, until the stripes give up the pointer after the copy.
            for stripe in Stripes.all {
                stripe.pointee.snapshot = UnsafePointer(core.pointer)
                stripe.pointee.cut = last
                // Deaths in a scoped registry never take the plain path.
                if !core.isScoped { stripe.pointee.plain_span = 0 }
            }
            let end = SystemClock().now()
            lt_release_all()
            return (catalog.counters(sums, at: now), catalog.contexts.entries, end - start)
        }
    }

    private func endCut(upTo last: InstanceID, _ copier: RecordCopier) {
        var logs: [lt_death_log] = []
        logs.reserveCapacity(2 * Int(lt_stripe_count()))
        lt_claim_all()
        for stripe in Stripes.all {
            let log = lt_take_log(stripe)
            if log.count > 0 { logs.append(log) }
            stripe.pointee.snapshot = nil
            guard !core.isScoped else { continue }
            // A listed instance is worth remembering when it dies.
            stripe.pointee.plain = LT_LIVE + last.rawValue + 1
            stripe.pointee.plain_span = LT_SCOPED - (last.rawValue + 1)
        }
        lt_release_all()
        for log in logs {
            copier.add(log)
            lt_free_log(log)
        }
    }

    /// Takes back the ids that stripes have reserved, so that later births have higher ids than all births so far.
    ///
    /// The caller must have claimed all stripes.
    private func returnUnusedIDs() {
        guard !core.isScoped else { return }
        for stripe in Stripes.all { lt_return_ids(stripe) }
    }
}
