import CForkBarrier

extension LifetimeRegistry {
    /// Calls an observer for each later verdict, for as long as the returned observation is retained or kept.
    ///
    /// ```swift
    /// LifetimeRegistry.shared.observeVerdicts(.standardError).keep()
    /// ```
    /// The observer is called on the tracer's thread and outside all locks.
    /// From the first observer on, the registry also judges growth once a minute, see ``growth()``.
    public func observeVerdicts(_ observer: VerdictObserver) -> VerdictObservation {
        let id = verdicts.withLock { $0.observers.add(observer) }
        startJudgingGrowth()
        return VerdictObservation(id: id, registry: self)
    }

    /// The stored verdicts after the one with the given id, oldest first.
    public func verdicts(after id: UInt64 = 0) -> [Verdict] {
        verdicts.withLock { $0.recent.elements }.filter { $0.id > id }
    }

    /// Reaches all verdicts that are due by now, and returns when their observers have been called.
    ///
    /// The registry does this by itself when something falls due. Call it to force a check now, for example after
    /// advancing a manual clock. Do not call it while holding a lock that a verdict observer needs. In a verdict
    /// observer it returns without waiting for the other observers.
    public func check() {
        thread.runAndWait()
    }

    /// Files verdicts and wakes the thread that delivers them.
    func report(_ found: [Verdict]) {
        verdicts.withLock { $0.append(found) }
        thread.wake(by: clock.now())
    }

    /// Checks everything that is due; runs on the tracer's thread.
    func evaluate() -> TracerThread.Outcome {
        let (now, periodic) = fileVerdicts()
        deliverVerdicts()
        return .sleep(until: nextDue(after: now, periodic))
    }

    /// Files the verdicts that are due.
    ///
    /// All of it happens inside the fork barrier, because the first call makes metadata of generic types; see
    /// ``TracerThread``. Observers are called outside, because they may run for long, and may fork.
    private func fileVerdicts() -> (time: MonotonicTime, periodic: MonotonicTime?) {
        lt_fork_enter()
        defer { lt_fork_leave() }
        let now = clock.now()
        applyRules()
        findOldInstances(at: now)
        fileOverdueVerdicts(at: now)
        let orphans = tokens.withLock { $0.collectOrphans(at: now) }.map { Verdict.orphanedToken($0, at: now) }
        let periodic = evaluatePeriodically(at: now)
        let grown = judgeGrowth(at: now)
        verdicts.withLock { $0.append(orphans + periodic.found + grown) }
        return (now, periodic.next)
    }

    /// When something is due next; `nil` if nothing is.
    private func nextDue(after now: MonotonicTime, _ periodic: MonotonicTime?) -> MonotonicTime? {
        lt_fork_enter()
        defer { lt_fork_leave() }
        let next = [
            deadlines.withLock { $0.nextDue },
            tokens.withLock { $0.nextOrphan },
            periodic,
            ageLimits.withLock { $0.nextLook },
            growthTable.withLock { $0.nextCount },
            nextLookForTypes(after: now),
        ]
        return next.compactMap(\.self).min()
    }

    private func fileOverdueVerdicts(at now: MonotonicTime) {
        deadlines.withLock { deadlines in
            let due = deadlines.collectOverdue(at: now, isLive: store.isLive)
            guard !due.isEmpty else { return }
            let labels = annotations.withLock { annotations in due.map { annotations.entries[$0.instance]?.label } }
            // Filed before the deadline can be seen to end, so that the overdue verdict precedes the late one.
            verdicts.withLock { verdicts in
                verdicts.append(zip(due, labels).map { .overdue($0, label: $1, at: now) })
            }
        }
    }

    /// Checks budgets, invariants and the history, which have no due time of their own.
    private func evaluatePeriodically(at now: MonotonicTime) -> (found: [Verdict], next: MonotonicTime?) {
        let hasBudgets = budgets.withLock { !$0.isEmpty }
        let hasInvariants = invariants.withLock { !$0.entries.isEmpty }
        let nextSample = history.withLock { $0.nextSample }
        guard hasBudgets || hasInvariants || nextSample != nil else { return ([], nil) }
        let counters = store.counters()
        var found: [Verdict] = []
        if hasBudgets { found += budgets.withLock { $0.collectOverBudget(counters.types, at: now) } }
        if hasInvariants {
            found += invariants.withLock {
                $0.collectBroken(counters.types, at: now, grace: configuration.invariantGrace)
            }
        }
        if let nextSample, nextSample <= now { recordSample(counters, at: now) }
        let nextLook = hasBudgets || hasInvariants ? now + Self.period : nil
        return (found, [nextLook, history.withLock { $0.nextSample }].compactMap(\.self).min())
    }

    /// The interval between checks of budgets and invariants.
    private static let period = Duration.seconds(1)

    private func deliverVerdicts() {
        // False inside an observer that called `check()`: the outer loop delivers the verdicts that the check has
        // found.
        guard verdicts.withLock({ $0.beginDelivery() }) else { return }
        while let (batch, observers) = verdicts.withLock({ $0.takeBatch() }) {
            for (position, verdict) in batch.enumerated() {
                let began = clock.now()
                verdicts.withLock { $0.beginVerdict(position, at: began) }
                for observer in observers { observer.receive(verdict) }
                if position == batch.count - 1 { for observer in observers { observer.finish() } }
                let ended = clock.now()
                verdicts.withLock { $0.endVerdict(at: ended) }
            }
        }
        verdicts.withLock { $0.endDelivery() }
    }
}

extension LifetimeRegistry {
    /// The number of verdicts since the start, by kind and type.
    package func verdictCounts() -> VerdictCounts {
        verdicts.withLock { $0.counts }
    }
}
