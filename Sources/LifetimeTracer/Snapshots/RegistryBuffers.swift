import CLifetimeRuntime

extension LifetimeRegistry {
    /// The limit of each bounded buffer, and the number of elements it has dropped.
    func drops(_ counters: InstanceStore.Counters) -> [RegistrySummary.Drop] {
        let tokens = tokens.withLock { ($0.unlistedEver, $0.droppedGroups) }
        let deadlines = deadlines.withLock { ($0.refused, $0.late.dropped) }
        let verdicts = verdicts.withLock { ($0.recent.dropped, $0.undelivered, $0.counts.dropped) }
        return [
            .init(buffer: "instances", limit: configuration.instanceLimit, dropped: counters.unlistedEver),
            .init(buffer: "types", limit: store.limits.types, dropped: counters.droppedTypes),
            .init(buffer: "creationSites", limit: store.limits.contexts, dropped: counters.droppedContexts),
            .init(buffer: "creationStacks", limit: store.limits.creationStacks, dropped: counters.droppedStacks),
            .init(buffer: "annotations", limit: Annotations.limit, dropped: annotations.withLock { $0.dropped }),
            .init(buffer: "tokens", limit: configuration.tokenLimit, dropped: tokens.0),
            .init(buffer: "tokenGroups", limit: TokenTable.groupLimit, dropped: tokens.1),
            .init(buffer: "deadlines", limit: configuration.deadlineLimit, dropped: deadlines.0),
            .init(buffer: "lateInstances", limit: configuration.lateLimit, dropped: deadlines.1),
            .init(buffer: "verdicts", limit: configuration.verdictLimit, dropped: verdicts.0),
            .init(buffer: "verdictDeliveries", limit: VerdictLog.queueLimit, dropped: verdicts.1),
            .init(buffer: "verdictTypes", limit: VerdictCounts.typeLimit, dropped: verdicts.2),
            .init(buffer: "invariants", limit: InvariantTable.limit, dropped: invariants.withLock { $0.refused }),
            .init(
                buffer: "oldInstances", limit: AgeLimitTable.overdueLimit, dropped: ageLimits.withLock { $0.dropped }),
            .init(buffer: "growth", limit: GrowthTable.limit, dropped: growthTable.withLock { $0.dropped }),
            .init(
                buffer: "history", limit: configuration.historyLimit,
                dropped: history.withLock { $0.samples.dropped }),
        ] + refusedThreadStarts
    }

    /// How often the system refused to start the registry's thread; empty if never.
    private var refusedThreadStarts: [RegistrySummary.Drop] {
        let refusals = thread.refusals
        return refusals == 0 ? [] : [.init(buffer: "threadStarts", limit: 1, dropped: refusals)]
    }

    /// An estimate of the memory that the registry holds, in bytes.
    ///
    /// Counts entries times their size, without the spare capacity of hash tables.
    func estimatedBytes(_ counters: InstanceStore.Counters) -> Int {
        func size<Element>(_ count: Int, of _: Element.Type) -> Int { count * MemoryLayout<Element>.stride }
        // Free records are counted for the shared registry, where most objects are born.
        let records =
            store.core.isScoped
            ? size(Int(counters.live - counters.unlisted), of: lt_record.self)
            : RecordArena.shared.withLock { $0.bytes } + Stripes.bytes
        return records
            + size(counters.types.count, of: TypeTable.Entry.self)
            + size(lt_death_count(store.core.pointer), of: lt_death_entry.self)
            + annotations.withLock { size($0.entries.count, of: (InstanceID, Annotations.Entry).self) }
            + tokens.withLock {
                size($0.entries.count, of: (TokenID, TokenTable.Entry).self)
                    + size($0.groups.count, of: (TokenTable.Group, TokenTable.Counts).self)
            }
            + deadlines.withLock {
                size($0.entries.count, of: (DeadlineID, DeadlineTable.Entry?).self)
                    + size($0.late.count, of: DeadlineTable.Late.self)
            }
            + growthTable.withLock { $0.count * GrowthTrack.bytes }
            + verdicts.withLock { size($0.recent.count, of: Verdict.self) }
            + history.withLock {
                size($0.samples.count, of: HistorySample.self)
                    + size($0.samples.count * HistorySample.typesPerSample, of: Int.self)
            }
    }
}
