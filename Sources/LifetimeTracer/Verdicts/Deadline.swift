/// An expectation that an instance is gone by a point in time; hold on to it to cancel it.
///
/// Letting go of it changes nothing: the deadline stands until it is cancelled or the instance goes.
public struct Deadline: Sendable {
    let id: DeadlineID
    let registry: LifetimeRegistry

    /// The instance that should be gone.
    public let instance: InstanceID

    /// Takes the expectation back, whether or not the instance is overdue by now.
    ///
    /// - Returns: Whether it was still in force.
    @discardableResult
    public func cancel() -> Bool {
        registry.cancelDeadline(id)
    }
}

/// The id of a deadline in its registry.
struct DeadlineID: Sendable, Hashable, Comparable {
    let rawValue: UInt64

    static func < (left: Self, right: Self) -> Bool {
        left.rawValue < right.rawValue
    }
}
