/// The state of the delivery of verdicts to their observers.
package struct VerdictDelivery: Sendable {
    /// The number of verdicts that await delivery, including the one that is being delivered.
    package let waiting: Int
    /// When the oldest of those verdicts was reached.
    package let oldestWaiting: MonotonicTime?
    /// When the delivery of the current verdict began; `nil` if none is being delivered.
    package let observerSince: MonotonicTime?
    /// When the delivery of a verdict last ended.
    package let lastAt: MonotonicTime?
    /// The number of verdicts that were never delivered because the queue was full.
    package let dropped: Int

    /// Creates a description.
    package init(
        waiting: Int = 0, oldestWaiting: MonotonicTime? = nil, observerSince: MonotonicTime? = nil,
        lastAt: MonotonicTime? = nil, dropped: Int = 0
    ) {
        self.waiting = waiting
        self.oldestWaiting = oldestWaiting
        self.observerSince = observerSince
        self.lastAt = lastAt
        self.dropped = dropped
    }
}
