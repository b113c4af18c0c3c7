/// The owner of an ``InstanceStore``: each live instance of a scoped store retains it.
///
/// The owner holds the store for as long as it lives itself.
protocol InstanceStoreOwner: AnyObject, Sendable {
    /// Handles the death of a watched instance.
    ///
    /// Runs on the thread on which the instance dies, outside all locks.
    func watchedInstanceDied(_ id: InstanceID, watchedFor reasons: WatchReasons, at time: MonotonicTime)
}
