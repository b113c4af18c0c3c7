/// What a traced object carries: its registry, chosen at birth and kept for its death, and its id.
struct InstanceHandle: Sendable {
    let registry: LifetimeRegistry
    let id: InstanceID
    private let type: TypeIndex

    /// Records a birth in the registry that is current for the calling task.
    init(
        birthOf type: Any.Type, label: String?, owner: (any Traced)?, registry: LifetimeRegistry?,
        at site: SourceSite
    ) {
        self.registry = registry ?? LifetimeRegistry.current
        (id, self.type) = self.registry.store.recordBirth(of: type, at: site)
        if let label { self.registry.setLabel(label, of: id) }
        if let owner { self.registry.setOwner(owner.lifetime, of: id) }
    }

    /// Records the death.
    ///
    /// Called once, from the `deinit` of whatever carries the handle.
    func recordDeath() {
        guard let diedAt = registry.store.recordDeath(of: id, type: type) else { return }
        registry.watchedInstanceDied(id, at: diedAt)
    }
}
