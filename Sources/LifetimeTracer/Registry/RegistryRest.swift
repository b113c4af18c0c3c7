/// For those who wait until nothing is left: whether that is so, and when to look again.
extension LifetimeRegistry {
    /// Whether no instance is live and no token in force.
    ///
    /// Costs in proportion to the types; about a microsecond in a registry of one's own.
    package var isAtRest: Bool {
        tokens.withLock { tokens in !tokens.groups.values.contains { $0.inForce > 0 } }
            && store.counters().live == 0
    }

    /// The live instances of a type, without its subclasses.
    package func liveCount(of type: AnyClass) -> Int {
        let index = Int(store.index(of: type).rawValue)
        return Int(store.counters().types[index].live)
    }

    /// The live instances of each type of which there is one.
    package func liveCounts() -> [TypeName: UInt64] {
        store.counters().types.reduce(into: [:]) { if $1.live > 0 { $0[$1.name] = $1.live } }
    }

    /// Whether an instance is live and listed.
    package func isLive(_ id: InstanceID) -> Bool {
        store.isLive(id)
    }

    /// Runs an action whenever a token has been removed, on the thread that removes it and outside all locks.
    ///
    /// - Parameter key: To take it back with; another action with the same key is replaced.
    package func onTokenRemoval(key: UInt64, _ action: @escaping @Sendable () -> Void) {
        tokens.withLock { $0.removalActions[key] = Action(action) }
    }

    /// Takes back an action.
    package func removeTokenRemovalAction(_ key: UInt64) {
        // Let go outside the lock: what the action captured may go with it.
        _ = tokens.withLock { $0.removalActions.removeValue(forKey: key) }
    }
}

extension TokenOwner {
    /// Whether a token is for this owner: the same instance, or one of the same type; a token of nobody is for nobody.
    package func owns(_ token: TokenRecord, in registry: LifetimeRegistry) -> Bool {
        if let id { return self.registry === registry && token.owner?.id == id }
        guard let type else { return token.ownerType == nil }
        return token.ownerType == registry.name(of: type)
    }

    /// The owner for people.
    package func described(in registry: LifetimeRegistry) -> String {
        guard let type else { return id.map { "#\($0)" } ?? "nobody" }
        return registry.name(of: type).name + (id.map { " #\($0)" } ?? "")
    }
}
