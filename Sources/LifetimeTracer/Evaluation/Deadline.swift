/// An expectation that an instance is gone by a point in time; use it to cancel the expectation.
///
/// Releasing the value changes nothing: the deadline stands until it is cancelled or the instance dies.
public struct Deadline: Sendable {
    let id: DeadlineID
    let registry: LifetimeRegistry

    /// The instance that should be gone.
    public let instance: InstanceID

    /// Cancels the deadline, even if the instance is already overdue.
    ///
    /// - Returns: Whether the deadline was still in force.
    @discardableResult
    public func cancel() -> Bool {
        registry.cancelDeadline(id)
    }
}
