/// An expectation that an instance is gone by a point in time.
///
/// A deadline belongs to its instance, not to this value: it stands until it is removed or the instance dies.
public struct Deadline: Sendable {
    let id: DeadlineID
    let registry: LifetimeRegistry

    /// The instance that should be gone.
    public let instance: InstanceID

    /// Removes the deadline, even if the instance is already overdue.
    ///
    /// - Returns: Whether the deadline was still in force.
    @discardableResult
    public func remove() -> Bool {
        registry.cancelDeadline(id)
    }
}
