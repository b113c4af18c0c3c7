import LifetimeTracer

/// What can be wrong with a single live instance.
enum InstanceVerdict: String, Sendable, CaseIterable {
    /// A deadline of it has passed.
    case overdue
    /// Its declared owner has gone.
    case orphanOwner = "orphan-owner"
    /// There are too many of its type or its group.
    case overBudget = "over-budget"
}

/// Tells what is wrong with the instances of a snapshot.
struct InstanceVerdicts: Sendable {
    private let typesOverBudget: Set<TypeName>

    init(_ snapshot: Snapshot) {
        let groups = Set(snapshot.groups.lazy.filter(\.isOverBudget).map(\.name))
        let types = snapshot.types.lazy.filter { type in
            type.isOverBudget || (type.group.map(groups.contains) ?? false)
        }
        typesOverBudget = Set(types.map(\.type))
    }

    /// What is wrong with an instance of the snapshot; nothing for most.
    func of(_ instance: InstanceRecord) -> [InstanceVerdict] {
        var found: [InstanceVerdict] = []
        if instance.isOverdue { found.append(.overdue) }
        if instance.owner?.isLive == false { found.append(.orphanOwner) }
        if typesOverBudget.contains(instance.type) { found.append(.overBudget) }
        return found
    }
}
