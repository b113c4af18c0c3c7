/// A verdict observer in force, which stays in force until it is cancelled, even if this value is released.
public struct VerdictObservation: Sendable {
    let id: UInt64
    let registry: LifetimeRegistry

    /// Cancels the observation.
    ///
    /// A verdict whose delivery is in progress may still arrive.
    public func cancel() {
        registry.verdicts.removeAndRelease { $0.removeObserver(id) }
    }
}
