/// What the tracer's thread and the delivery of verdicts are doing.
package struct TracerActivity: Sendable {
    /// When this was read.
    package let at: MonotonicTime
    /// When the round that is under way began; `nil` while the thread sleeps or has never been needed.
    package let roundSince: MonotonicTime?
    /// When the last round ended; `nil` before the first.
    package let lastRoundAt: MonotonicTime?
    /// When the next round is due; `nil` when none is, and on a clock that does not run by itself.
    package let due: MonotonicTime?
    /// How the delivery of verdicts stands.
    package let delivery: VerdictDelivery

    /// Creates a description.
    package init(
        at time: MonotonicTime, roundSince: MonotonicTime? = nil, lastRoundAt: MonotonicTime? = nil,
        due: MonotonicTime? = nil, delivery: VerdictDelivery = VerdictDelivery()
    ) {
        at = time
        self.roundSince = roundSince
        self.lastRoundAt = lastRoundAt
        self.due = due
        self.delivery = delivery
    }
}

extension LifetimeRegistry {
    /// What the tracer's thread and the delivery of verdicts are doing.
    ///
    /// Costs two short locks. It does not wake the thread and never waits for it, nor for a verdict observer.
    package func activity() -> TracerActivity {
        let thread = thread.activity
        let delivery = verdicts.withLock { $0.delivery }
        return TracerActivity(
            at: clock.now(), roundSince: thread.roundSince, lastRoundAt: thread.lastRoundAt, due: thread.due,
            delivery: delivery)
    }
}
