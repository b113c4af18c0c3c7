/// What is to be done when certain instances go.
///
/// Not locked: state inside a lock of ``LifetimeRegistry``. The actions run on the thread on which the instance goes, outside
/// all locks, when its `deinit` has run and before its stored properties are released.
struct DeathActions: LockedState {
    private var actions: [InstanceID: [UInt64: Action]] = [:]
    private var last: UInt64 = 0

    mutating func add(_ id: InstanceID, _ action: Action) -> UInt64 {
        last += 1
        actions[id, default: [:]][last] = action
        return last
    }

    /// Takes back an action.
    ///
    /// - Returns: The action, to be let go outside the lock: what it captured may go with it.
    mutating func remove(_ id: InstanceID, _ key: UInt64) -> Action? {
        let action = actions[id]?.removeValue(forKey: key)
        if actions[id]?.isEmpty == true { actions[id] = nil }
        return action
    }

    /// Takes the actions of an instance, in the order in which they were added.
    mutating func take(_ id: InstanceID) -> [Action] {
        (actions.removeValue(forKey: id) ?? [:]).sorted { $0.key < $1.key }.map(\.value)
    }
}

extension LifetimeRegistry {
    /// Runs an action when an instance goes.
    ///
    /// - Returns: A key to take it back with, or `nil` when the instance is not live: then the action has run already or never will.
    package func onDeath(of id: InstanceID, _ action: @escaping @Sendable () -> Void) -> UInt64? {
        let key = deathActions.withLock { $0.add(id, Action(action)) }
        guard store.watch(id) else {
            // It went meanwhile, or before. If its death has taken the action already, this removes nothing.
            _ = deathActions.withLock { $0.remove(id, key) }
            return nil
        }
        return key
    }

    /// Takes back an action.
    package func removeDeathAction(_ key: UInt64, of id: InstanceID) {
        _ = deathActions.withLock { $0.remove(id, key) }
    }
}
