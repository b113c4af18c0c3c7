/// The actions to run when certain instances die.
///
/// Has no lock of its own: state inside a lock of ``LifetimeRegistry``. The actions run on the thread on which the
/// instance dies, outside all locks, after its `deinit` and before its stored properties are released.
struct DeathActions: LockedState {
    private var actions: [InstanceID: [UInt64: Action]] = [:]
    private var last: UInt64 = 0

    mutating func add(_ id: InstanceID, _ action: Action) -> UInt64 {
        last += 1
        actions[id, default: [:]][last] = action
        return last
    }

    /// Removes an action.
    ///
    /// - Returns: The action, which the caller must release outside the lock because its captures may be released with
    ///   it.
    mutating func remove(_ id: InstanceID, _ key: UInt64) -> Action? {
        let action = actions[id]?.removeValue(forKey: key)
        if actions[id]?.isEmpty == true { actions[id] = nil }
        return action
    }

    /// Removes and returns the actions of an instance, in the order in which they were added.
    mutating func take(_ id: InstanceID) -> [Action] {
        guard let own = actions.removeValue(forKey: id) else { return [] }
        return own.sorted { $0.key < $1.key }.map(\.value)
    }
}

extension LifetimeRegistry {
    /// Runs an action when an instance dies.
    ///
    /// - Returns: A key for ``removeDeathAction(_:of:)``, or `nil` if the instance is not live. In that case the action
    ///   has already run or will never run.
    package func onDeath(of id: InstanceID, _ action: @escaping @Sendable () -> Void) -> UInt64? {
        let key = deathActions.withLock { $0.add(id, Action(action)) }
        guard store.watch(id, for: .action) else {
            // The instance has died. If its death has already taken the action, this call removes nothing.
            deathActions.removeAndRelease { $0.remove(id, key) }
            return nil
        }
        return key
    }

    /// Removes an action.
    package func removeDeathAction(_ key: UInt64, of id: InstanceID) {
        deathActions.removeAndRelease { $0.remove(id, key) }
    }
}
