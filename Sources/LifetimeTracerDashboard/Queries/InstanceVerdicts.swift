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
    /// All lists of verdicts, each made once: the bits of a list's position tell its verdicts.
    private static let lists = (0..<1 << InstanceVerdict.allCases.count).map { bits in
        InstanceVerdict.allCases.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element)
    }

    private let typesOverBudget: Set<TypeName>

    init(_ snapshot: Snapshot) {
        self.init(typesOverBudget: snapshot.typesOverBudget)
    }

    init(typesOverBudget: Set<TypeName>) {
        self.typesOverBudget = typesOverBudget
    }

    /// Returns the verdicts on an instance of the snapshot; most instances have none.
    func of(_ instance: InstanceRecord) -> [InstanceVerdict] {
        var found = 0
        if instance.isOverdue { found |= 1 << 0 }
        if instance.owner?.isLive == false { found |= 1 << 1 }
        if !typesOverBudget.isEmpty, typesOverBudget.contains(instance.type) { found |= 1 << 2 }
        return Self.lists[found]
    }
}
