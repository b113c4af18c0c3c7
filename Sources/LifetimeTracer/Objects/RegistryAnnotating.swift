extension LifetimeRegistry {
    /// Sets the human-readable label of an instance, or removes it when `label` is `nil`.
    ///
    /// - Parameter isHeld: Whether the caller holds the object.
    func setLabel(_ label: String?, of id: InstanceID, isHeld: Bool = false) {
        annotate(id, isHeld: isHeld) { $0.label = label.map { String($0.prefix(Self.longestLabel)) } }
    }

    /// Sets the owner of an instance.
    ///
    /// An owner of another registry is not recorded, because its id means another instance here.
    ///
    /// - Parameter isHeld: Whether the caller holds the object.
    func setOwner(_ owner: Lifetime?, of id: InstanceID, isHeld: Bool = false) {
        let owner = owner.flatMap { owner -> Annotations.Owner? in
            guard owner.registry === self, let type = store.typeName(of: owner.id) else { return nil }
            return Annotations.Owner(id: owner.id, type: type)
        }
        annotate(id, isHeld: isHeld) { $0.owner = owner }
    }

    /// Sets the parent of a node in its tree.
    ///
    /// A parent of another registry is not recorded, because its id means another instance here.
    func setParent(_ parent: Lifetime?, of id: InstanceID) {
        if let parent, parent.registry !== self || !store.watch(parent.id, for: .annotation) { return }
        annotate(id) { $0.parent = parent?.id }
    }

    /// Exempts an instance from deadlines for leaving its tree.
    func setExemption(_ reason: String?, of id: InstanceID) {
        annotate(id) { $0.exemption = reason }
    }

    /// The longest label, in characters; the rest is cut off.
    private static let longestLabel = 1000

    private func annotate(_ id: InstanceID, isHeld: Bool = false, _ change: (inout Annotations.Entry) -> Void) {
        // The instance is watched first, because an annotation written after its death would stay forever.
        guard store.watch(id, for: .annotation, isHeld: isHeld) else { return }
        annotations.withLock { $0.update(id, change) }
        if !isHeld, !store.isLive(id) {
            annotations.removeAndRelease { $0.remove(id) }
        }
    }
}
