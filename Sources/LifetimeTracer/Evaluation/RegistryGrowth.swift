extension LifetimeRegistry {
    /// The subjects that are growing, fastest first; empty for the first minutes.
    ///
    /// A type, or the tokens of an event and owner type, is *growing* if instances of nearly every recent minute are
    /// left and old ones hardly die. The registry counts the ages of its live instances once a minute, from the first
    /// call of ``observeVerdicts(_:)`` or the start of a dashboard on. This call reads the result of the last count.
    public func growth() -> [GrowthRecord] {
        growthTable.withLock { $0.growing }
    }

    /// Starts to judge growth at the end of each minute.
    func startJudgingGrowth() {
        let now = clock.now()
        if let next = growthTable.withLock({ $0.begin(at: now) }) { thread.wake(by: next) }
    }

    /// Counts the ages of all instances and tokens if a minute has ended, and returns the verdicts.
    func judgeGrowth(at now: MonotonicTime) -> [Verdict] {
        guard let due = growthTable.withLock({ $0.nextCount }), due <= now else { return [] }
        let minute = growthTable.withLock { $0.minutes(at: now) }
        // Counted outside the lock of the table, because counting reads all records.
        let ages = store.ages(since: startedAt, endedMinutes: minute, at: now, typeLimit: GrowthTable.limit)
        var counts = GrowthTable.Counts()
        var sites: [GrowthRecord.Subject: SourceSite] = [:]
        for (type, ages, site) in ages.byType {
            counts[.type(type)] = ages
            sites[.type(type)] = site
        }
        counts[.process] = ages.all
        let omitted = countTokens(into: &counts, &sites, endedMinutes: minute)
        let expected = typesWithExpectedGrowth
        return growthTable.withLock {
            $0.count(counts, sites: sites, expected: expected, omitted: ages.omittedTypes + omitted, at: now)
        }
    }

    /// Counts the ages of the tokens by event and owner type.
    ///
    /// - Returns: The number of groups that were not counted.
    private func countTokens(
        into counts: inout GrowthTable.Counts, _ sites: inout [GrowthRecord.Subject: SourceSite], endedMinutes: Int
    ) -> Int {
        let entries = tokens.withLock { $0.entries }
        var tokens: [CrowdTable.Key: AgeCounts] = [:]
        var bySite: [CrowdTable.Key: [SourceSite: Int]] = [:]
        var omitted: Set<CrowdTable.Key> = []
        for entry in entries.values {
            let key = entry.group.crowd
            guard tokens[key] != nil || tokens.count < GrowthTable.limit else {
                if omitted.count < TokenTable.groupLimit { omitted.insert(key) }
                continue
            }
            let age = endedMinutes - 1 - Int((entry.registeredAt - startedAt).components.seconds / 60)
            tokens[key, default: AgeCounts()].add(age: age)
            if let site = entry.site.ifKnown { bySite[key, default: [:]][site, default: 0] += 1 }
        }
        for (key, ages) in tokens {
            let subject = GrowthRecord.Subject.tokens(event: key.event, ownerType: key.ownerType)
            counts[subject] = ages
            sites[subject] = bySite[key].flatMap(SourceSite.mostFrequent)
        }
        return omitted.count
    }
}
