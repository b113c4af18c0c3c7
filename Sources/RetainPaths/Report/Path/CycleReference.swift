/// A reference in a cycle of objects, from one object to the next.
///
/// An object's own storage is part of the object.
struct CycleReference: Hashable {
    /// The object that has the reference, itself or in its storage.
    var owner: Int
    /// The node with the reference: the owner, or the last storage of the owner.
    var node: Int
    /// The next object.
    var target: Int
    /// How surely the names say that the reference leads back to an owner, from 0 to 3.
    var backRank = 0
    /// Whether the reference is an element of a collection.
    var isElement = false
    /// Whether the names say that the reference leads to a part, or to the next element of a list.
    var isForward = false

    /// Whether the reference is in storage of the owner.
    var isInStorage: Bool { node != owner }
}

extension NamedPath {
    /// The references of which one most likely leads back to an owner; several if nothing tells which one does.
    ///
    /// First come the names. Without a telling name, the reference back is one to the owner of a collection, of a part
    /// or of storage.
    func backReferences(in cycle: ClosedRange<Int>) -> [CycleReference] {
        let all = references(in: cycle)
        let owners = Set(all.filter { $0.isElement || $0.isForward }.map(\.owner))
        if let most = all.map(\.backRank).max(), most > 0 {
            let named = all.filter { $0.backRank == most }
            let toOwners = named.filter { owners.contains($0.target) && !owners.contains($0.owner) }
            return named.count > 1 && !toOwners.isEmpty ? toOwners : named
        }
        for isOwning in [\CycleReference.isElement, \.isForward, \.isInStorage] {
            let owners = Set(all.filter { $0[keyPath: isOwning] }.map(\.owner))
            let back = all.filter { owners.contains($0.target) && !$0[keyPath: isOwning] }
            if !back.isEmpty { return back }
        }
        return all
    }

    /// The references between the objects of a cycle, in their order.
    private func references(in cycle: ClosedRange<Int>) -> [CycleReference] {
        let objects = cycle.filter { nodes[$0].role == .object }
        let owners = objects.filter { !isStorage($0) }
        let all = owners.isEmpty ? objects : owners
        return all.indices.map { index in
            let (owner, target) = (all[index], all[(index + 1) % all.count])
            let behind = owner + 1..<(owner < target ? target : cycle.upperBound + 1)
            let again = owner < target ? cycle.lowerBound..<cycle.lowerBound : cycle.lowerBound..<target
            return reference(from: owner, to: target, passing: Array(behind) + again)
        }
    }

    private func reference(from owner: Int, to target: Int, passing way: [Int]) -> CycleReference {
        let storages = way.filter(isStorage)
        let properties = ([owner] + storages).map { ReferenceName(members: nodes[$0].members) }
        let types = storages.map { ReferenceName(type: nodes[$0].bareType) }
        var reference = CycleReference(owner: owner, node: behindStorage(owner), target: target)
        reference.backRank = properties.map(\.backRank).max() ?? 0
        if types.contains(where: \.containsOwner) { reference.backRank = 3 }
        // A tree's root is a part of the tree, while that of a node is above the node.
        if properties.contains(where: \.isRoot), nodes[owner].type == nodes[target].type {
            reference.backRank = max(reference.backRank, 1)
        }
        // A collection of values of any type, such as options or user information, does not tell that they are parts.
        reference.isElement = way.contains {
            nodes[$0].role == .storage && nodes[$0].obstacleToWeakness != .existential
        }
        reference.isForward = (properties + types).contains(where: \.isForward)
        return reference
    }
}
