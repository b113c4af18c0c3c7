/// What is known of single instances beyond their birth: labels, owners, places in a tree, exemptions.
///
/// Most instances have none, so the hot path does not pay for it. An annotated instance is watched, and its annotations go
/// with it.
struct Annotations: LockedState {
    /// What is known of one instance.
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

    /// The most instances that can be annotated at a time.
    static let limit = 1_000_000

    private(set) var entries: [InstanceID: Entry] = [:]
    /// The children of each parent, by the parents that the entries name.
    private(set) var children: [InstanceID: Set<InstanceID>] = [:]
    private(set) var dropped: UInt64 = 0

    /// Changes what is known of an instance.
    mutating func update(_ id: InstanceID, _ change: (inout Entry) -> Void) {
        guard entries[id] != nil || entries.count < Self.limit else {
            dropped += 1
            return
        }
        let oldParent = entries[id]?.parent
        change(&entries[id, default: Entry()])
        let newParent = entries[id]?.parent
        guard oldParent != newParent else { return }
        if let oldParent { removeChild(id, of: oldParent) }
        if let newParent { children[newParent, default: []].insert(id) }
    }

    /// Forgets an instance.
    ///
    /// - Returns: What was known of it, and its children, which have no parent from now on.
    mutating func remove(_ id: InstanceID) -> (entry: Entry?, children: Set<InstanceID>) {
        let entry = entries.removeValue(forKey: id)
        if let parent = entry?.parent { removeChild(id, of: parent) }
        let orphans = children.removeValue(forKey: id) ?? []
        for child in orphans { entries[child]?.parent = nil }
        return (entry, orphans)
    }

    private mutating func removeChild(_ id: InstanceID, of parent: InstanceID) {
        children[parent]?.remove(id)
        if children[parent]?.isEmpty == true { children[parent] = nil }
    }
}
