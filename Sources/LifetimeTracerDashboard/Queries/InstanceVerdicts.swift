import LifetimeTracer

/// The verdicts that a single live instance can have.
enum InstanceVerdict: String, Sendable, CaseIterable {
    /// A deadline of the instance has passed.
    case overdue
    /// The instance's declared owner has died.
    case orphanOwner = "orphan-owner"
    /// The instance's type or group is over budget.
    case overBudget = "over-budget"
}

/// Determines the verdicts on the instances of a snapshot.
struct InstanceVerdicts: Sendable {
    private let typesOverBudget: Set<TypeName>

    init(_ snapshot: Snapshot) {
        self.init(typesOverBudget: snapshot.typesOverBudget)
    }

    init(typesOverBudget: Set<TypeName>) {
        self.typesOverBudget = typesOverBudget
    }

    /// Returns the verdicts on an instance of the snapshot; most instances have none.
    func of(_ instance: InstanceRecord) -> [InstanceVerdict] {
        var found: [InstanceVerdict] = []
        if instance.isOverdue { found.append(.overdue) }
        if instance.owner?.isLive == false { found.append(.orphanOwner) }
        if !typesOverBudget.isEmpty, typesOverBudget.contains(instance.type) { found.append(.overBudget) }
        return found
    }
}
