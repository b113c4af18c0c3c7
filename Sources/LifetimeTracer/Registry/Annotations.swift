/// The annotations of single instances: labels, owners, places in a tree and exemptions.
///
/// Most instances have no annotation, so births and deaths do not pay for this table. An annotated instance is watched,
/// and its annotations are removed when it dies.
struct Annotations: LockedState {
    /// The annotations of one instance.
    struct Entry: Sendable {
        var label: String?
        var owner: Owner?
        var parent: InstanceID?
        var exemption: String?
    }

    /// The declared owner of an instance.
    struct Owner: Sendable {
        let id: InstanceID
        let type: TypeName
    }

    /// The most annotated instances at a time.
    static let limit = 1_000_000

    private(set) var entries: [InstanceID: Entry] = [:]
    /// The children of each parent, derived from the parents in the entries.
    private(set) var children: [InstanceID: Set<InstanceID>] = [:]
    /// The annotated instances that have an owner.
    private(set) var owned = 0
    private(set) var dropped = 0

    /// Changes the annotations of an instance.
    mutating func update(_ id: InstanceID, _ change: (inout Entry) -> Void) {
        guard entries[id] != nil || entries.count < Self.limit else {
            dropped += 1
            return
        }
        let (oldParent, oldOwner) = (entries[id]?.parent, entries[id]?.owner)
        change(&entries[id, default: Entry()])
        let (newParent, newOwner) = (entries[id]?.parent, entries[id]?.owner)
        owned += (newOwner == nil ? 0 : 1) - (oldOwner == nil ? 0 : 1)
        guard oldParent != newParent else { return }
        if let oldParent { removeChild(id, of: oldParent) }
        if let newParent { children[newParent, default: []].insert(id) }
    }

    /// Removes the annotations of an instance.
    ///
    /// - Returns: The removed annotations, and the children of the instance, which now have no parent.
    mutating func remove(_ id: InstanceID) -> (entry: Entry?, children: Set<InstanceID>) {
        let entry = entries.removeValue(forKey: id)
        if let parent = entry?.parent { removeChild(id, of: parent) }
        if entry?.owner != nil { owned -= 1 }
        let orphans = children.removeValue(forKey: id) ?? []
        for child in orphans { entries[child]?.parent = nil }
        return (entry, orphans)
    }

    private mutating func removeChild(_ id: InstanceID, of parent: InstanceID) {
        children[parent]?.remove(id)
        if children[parent]?.isEmpty == true { children[parent] = nil }
    }
}
