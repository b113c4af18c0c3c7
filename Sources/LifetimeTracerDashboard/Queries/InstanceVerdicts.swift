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
    /// `nil` if there are none: each use of a set, even of an empty one, retains it.
    private let typesOverBudget: Set<TypeName>?

    init(_ snapshot: Snapshot) {
        self.init(typesOverBudget: snapshot.typesOverBudget)
    }

    init(typesOverBudget: Set<TypeName>) {
        self.typesOverBudget = typesOverBudget.isEmpty ? nil : typesOverBudget
    }

    /// Returns the verdicts on an instance of the snapshot; most instances have none.
    func of(_ instance: InstanceRecord) -> InstanceVerdictSet {
        var found: InstanceVerdictSet = []
        if instance.isOverdue { found.insert(.overdue) }
        if instance.owner?.isLive == false { found.insert(.orphanOwner) }
        if let typesOverBudget, typesOverBudget.contains(instance.type) { found.insert(.overBudget) }
        return found
    }
}

/// The verdicts on an instance.
///
/// Bits, because each copy of an array retains it, even of an empty one.
struct InstanceVerdictSet: OptionSet, Sendable {
    let rawValue: UInt8

    static let overdue = Self(rawValue: 1 << 0)
    static let orphanOwner = Self(rawValue: 1 << 1)
    static let overBudget = Self(rawValue: 1 << 2)
}

extension InstanceVerdictSet {
    init(_ verdict: InstanceVerdict) {
        self =
            switch verdict {
            case .overdue: .overdue
            case .orphanOwner: .orphanOwner
            case .overBudget: .overBudget
            }
    }
}
