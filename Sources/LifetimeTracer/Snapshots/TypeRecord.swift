/// A traced type, in a snapshot.
public struct TypeRecord: LockedState {
    /// The type.
    public let type: TypeName
    /// The number of live instances.
    public let live: Int
    /// The highest number of live instances so far.
    public let peak: Int
    /// The number of births so far.
    public let born: Int
    /// The number of deaths so far.
    public let died: Int
    /// The size of an instance in bytes, without the objects that it references.
    public let shallowBytes: Int?
    /// The time of birth of the oldest live instance.
    public let oldest: MonotonicTime?
    /// The most live instances that the type's budget allows.
    public let budget: Int?
    /// The maximum age of the type's instances.
    public let maximumAge: Duration?
    /// The group of the type.
    public let group: String?
    /// The number of overdue instances.
    public let overdue: Int
    /// The number of remembered late instances.
    public let late: Int
    /// The number of live instances whose owner has died.
    public let orphanOwner: Int

    /// Whether the live instances exceed the budget.
    public var isOverBudget: Bool { budget.map { live > $0 } ?? false }
}

/// A group of types, in a snapshot.
public struct GroupRecord: Sendable {
    /// The group's name.
    public let name: String
    /// The number of live instances of all types of the group.
    public let live: Int
    /// The most live instances that the group's budget allows.
    public let budget: Int?

    /// Whether the live instances exceed the budget.
    public var isOverBudget: Bool { budget.map { live > $0 } ?? false }
}

extension BudgetTable {
    /// The groups that have types or a budget, by name.
    func groupRecords(_ types: [TypeTable.Entry]) -> [GroupRecord] {
        liveByGroup(types).sorted { $0.key < $1.key }.map { name, live in
            GroupRecord(name: name, live: live, budget: byGroup[name])
        }
    }
}
