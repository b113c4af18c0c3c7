extension LifetimeRegistry {
    /// Gives an instance a label for people, or takes it away.
    func setLabel(_ label: String?, of id: InstanceID) {
        annotate(id) { $0.label = label.map { String($0.prefix(Self.longestLabel)) } }
    }

    /// Says which instance owns another.
    ///
    /// One of another registry is not recorded: its id means another instance here.
    func setOwner(_ owner: Lifetime?, of id: InstanceID) {
        let owner = owner.flatMap { owner -> Annotations.Owner? in
            guard owner.registry === self, let type = store.typeName(of: owner.id) else { return nil }
            return Annotations.Owner(id: owner.id, type: type)
        }
        annotate(id) { $0.owner = owner }
    }

    /// Says which node holds another in its tree.
    ///
    /// One of another registry is not recorded: its id means another instance here.
    func setParent(_ parent: Lifetime?, of id: InstanceID) {
        if let parent, parent.registry !== self || !store.watch(parent.id) { return }
        annotate(id) { $0.parent = parent?.id }
    }

    /// Keeps an instance without deadlines for leaving its tree.
    func setExemption(_ reason: String?, of id: InstanceID) {
        annotate(id) { $0.exemption = reason }
    }

    /// Characters of a label that are kept.
    private static let longestLabel = 1000

    private func annotate(_ id: InstanceID, _ change: (inout Annotations.Entry) -> Void) {
        // Watched first: whatever is written after its death would stay for ever.
        guard store.watch(id) else { return }
        annotations.withLock { $0.update(id, change) }
        if !store.isLive(id) {
            _ = annotations.withLock { $0.remove(id) }
        }
    }
}
