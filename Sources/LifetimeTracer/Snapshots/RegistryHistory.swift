extension LifetimeRegistry {
    /// Starts a history: one sample a second, ``RegistryConfiguration/historyLimit`` at most.
    ///
    /// The registry then also judges growth once a minute, see ``growth()``.
    package func startHistory() {
        let now = clock.now()
        history.withLock { $0.start(at: now) }
        thread.wake(by: now)
        startJudgingGrowth()
    }

    /// Returns the samples since a point in time, oldest first.
    package func historySamples(since time: MonotonicTime = MonotonicTime(nanoseconds: 0)) -> [HistorySample] {
        history.withLock { $0.samples.elements }.filter { $0.at >= time }
    }

    /// Calls `body` on the tracer's thread after each sample.
    ///
    /// - Returns: A key for ``stopObservingSamples(_:)``.
    package func observeSamples(_ body: @escaping @Sendable () -> Void) -> UInt64 {
        history.withLock { $0.observers.add(Action(body)) }
    }

    /// Removes an observer of samples.
    package func stopObservingSamples(_ key: UInt64) {
        history.removeAndRelease { $0.observers.remove(key) }
    }

    func recordSample(_ counters: InstanceStore.Counters, at now: MonotonicTime) {
        let most = counters.types.withMostLive(HistorySample.typesPerSample)
        let top = Dictionary(most.map { ($0.name, $0.live) }, uniquingKeysWith: +)
            .sorted { $0.key.qualified < $1.key.qualified }
        let previous = history.withLock { $0.samples.newest }
        let sample = HistorySample(
            at: now, live: counters.live, born: counters.born, died: counters.died,
            tokens: tokens.withLock { $0.groups.values.reduce(0) { $0 + $1.inForce } },
            overdue: deadlines.withLock { $0.overdueInstanceCount },
            topTypes: Self.reused(previous?.topTypes, if: top.map(\.key)),
            topCounts: Self.reused(previous?.topCounts, if: top.map(\.value)))
        let observers = history.withLock { history in
            history.append(sample)
            return history.observers.all
        }
        for observer in observers { observer() }
    }

    /// Returns the elements of an earlier sample if they are the same, so that both samples share their memory.
    private static func reused<Element: Equatable>(_ earlier: [Element]?, if elements: [Element]) -> [Element] {
        guard let earlier, earlier == elements else { return elements }
        return earlier
    }
}
