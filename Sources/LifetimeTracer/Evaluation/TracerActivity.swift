/// The current activity of the tracer's thread and of the delivery of verdicts.
package struct TracerActivity: Sendable {
    /// The time of this reading.
    package let at: MonotonicTime
    /// The start of the current round; `nil` while the thread sleeps or if it was never needed.
    package let roundSince: MonotonicTime?
    /// The end of the last round; `nil` before the first.
    package let lastRoundAt: MonotonicTime?
    /// The time at which the next round is due; `nil` if none is, or on a clock that does not advance by itself.
    package let due: MonotonicTime?
    /// The state of the delivery of verdicts.
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
    /// The current activity of the tracer's thread and of the delivery of verdicts.
    ///
    /// Costs two short locks. Reading it does not wake the thread, and waits neither for the thread nor for a verdict
    /// observer.
    package func activity() -> TracerActivity {
        let thread = thread.activity
        let delivery = verdicts.withLock { $0.delivery }
        return TracerActivity(
            at: clock.now(), roundSince: thread.roundSince, lastRoundAt: thread.lastRoundAt, due: thread.due,
            delivery: delivery)
    }
}
