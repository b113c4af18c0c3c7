/// How the delivery of verdicts to their observers stands.
package struct VerdictDelivery: Sendable {
    /// Verdicts that wait for delivery, with the one that an observer is working on.
    package let waiting: Int
    /// When the oldest of them was reached.
    package let oldestWaiting: MonotonicTime?
    /// When the observers were given the verdict that they are working on; `nil` when they are working on none.
    package let observerSince: MonotonicTime?
    /// When the last observer returned from a verdict for the last time.
    package let lastAt: MonotonicTime?
    /// Verdicts that were never delivered because too many were waiting.
    package let dropped: UInt64

    /// Creates a description.
    package init(
        waiting: Int = 0, oldestWaiting: MonotonicTime? = nil, observerSince: MonotonicTime? = nil,
        lastAt: MonotonicTime? = nil, dropped: UInt64 = 0
    ) {
        self.waiting = waiting
        self.oldestWaiting = oldestWaiting
        self.observerSince = observerSince
        self.lastAt = lastAt
        self.dropped = dropped
    }
}
