/// Lets callers wait until nothing is left: whether that is so, and when to check again.
extension LifetimeRegistry {
    /// Whether no instance is live and no token is in force.
    ///
    /// The cost is proportional to the number of types; about a microsecond in a scoped registry.
    package var isAtRest: Bool {
        tokens.withLock { tokens in !tokens.groups.values.contains { $0.inForce > 0 } }
            && store.counters().live == 0
    }

    /// The number of live instances of a type, without its subclasses.
    package func liveCount(of type: AnyClass) -> Int {
        let index = Int(store.index(of: type).rawValue)
        return Int(store.counters().types[index].live)
    }

    /// The number of live instances of each type that has any.
    package func liveCounts() -> [TypeName: Int] {
        store.counters().types.reduce(into: [:]) { if $1.live > 0 { $0[$1.name] = $1.live } }
    }

    /// Whether an instance is live and listed.
    package func isLive(_ id: InstanceID) -> Bool {
        store.isLive(id)
    }

    /// Runs an action after each removal of a token, on the thread that removes it and outside all locks.
    ///
    /// - Parameter key: The key for removing the action; another action with the same key is replaced.
    package func onTokenRemoval(key: UInt64, _ action: @escaping @Sendable () -> Void) {
        tokens.removeAndRelease { $0.removalActions.updateValue(Action(action), forKey: key) }
    }

    /// Removes an action.
    package func removeTokenRemovalAction(_ key: UInt64) {
        // Released outside the lock, because the captures of the action may be released with it.
        tokens.removeAndRelease { $0.removalActions.removeValue(forKey: key) }
    }
}

extension TokenOwner {
    /// Whether a token belongs to this owner: to the same instance or the same type, or to nobody for an owner without
    /// a type.
    package func owns(_ token: TokenRecord, in registry: LifetimeRegistry) -> Bool {
        if let id { return self.registry === registry && token.owner?.id == id }
        guard let type else { return token.ownerType == nil }
        return token.ownerType == registry.name(of: type)
    }

    /// The human-readable owner.
    package func described(in registry: LifetimeRegistry) -> String {
        guard let type else { return id.map { "#\($0)" } ?? "no owner" }
        return registry.name(of: type).name + (id.map { " #\($0)" } ?? "")
    }
}
