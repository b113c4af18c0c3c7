import CLifetimeRuntime

extension InstanceStore {
    /// All instances and counters of a store at one instant.
    struct Cut: Sendable {
        let counters: Counters
        /// The records of the requested instances.
        let records: RecordList
        /// The number of listed instances in front of a requested range.
        let skipped: Int
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

    /// Returns instances and all counters at one instant; if all instances are requested, the listed and unlisted ones
    /// add up to the counts.
    ///
    /// All stripes are claimed while the counters are summed, and again while the logs of deaths are collected. In
    /// between the records are read without any lock. An instance that is born meanwhile has a higher id than the last
    /// one before the cut. An instance that dies meanwhile is logged by the thread on which it dies.
    func cut(_ part: CutPart = .all) -> Cut {
        Self.copying.withLock { copying in
            let (counters, contexts, pause) = beginCut()
            let reader = reader(of: part, counters)
            if part.isNoted, !core.isScoped { copying.firstPlain = counters.lastID.rawValue + 1 }
            endCut(reader, firstPlain: copying.firstPlain)
            return Cut(
                counters: counters, records: reader.list(), skipped: reader.skipped, contexts: contexts,
                times: timebase.translation(asOf: counters.at), pause: pause)
        }
    }

    private func reader(of part: CutPart, _ counters: Counters) -> any CutReader {
        switch part {
        case .all:
            RecordCopier(
                of: core, upTo: counters.lastID, count: counters.listed,
                chunks: RecordArena.shared.withLock { $0.chunks })
        case .range(let range): RangeReader(of: core, range, upTo: counters.lastID)
        case .instances(let ids): RecordFinder(ids, upTo: counters.lastID) { self.listedRecord(of: $0) }
        }
    }

    /// What the cuts of all stores share.
    private struct Copying: LockedState {
        /// The lowest id of the shared registry that no cut has listed: only deaths from it on are plain.
        var firstPlain: UInt64 = 0
    }

    /// The lock lets one cut run at a time, because a stripe can take part in only one.
    private static let copying = Locked(Copying())

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

    private func endCut(_ reader: any CutReader, firstPlain: UInt64) {
        var logs: [lt_death_log] = []
        logs.reserveCapacity(2 * Int(lt_stripe_count()))
        lt_claim_all()
        for stripe in Stripes.all {
            let log = lt_take_log(stripe)
            if log.count > 0 { logs.append(log) }
            stripe.pointee.snapshot = nil
            guard !core.isScoped else { continue }
            // A listed instance is worth remembering when it dies.
            stripe.pointee.plain = LT_LIVE + firstPlain
            stripe.pointee.plain_span = LT_SCOPED - firstPlain
        }
        lt_release_all()
        for log in logs {
            reader.add(log)
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
