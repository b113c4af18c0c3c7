/// What a snapshot says of a type.
public struct TypeRecord: LockedState {
    /// The type.
    public let type: TypeName
    /// Live instances.
    public let live: UInt64
    /// The most that were live at a time.
    public let peak: UInt64
    /// Births so far.
    public let born: UInt64
    /// Deaths so far.
    public let died: UInt64
    /// The size of an instance without what it refers to, in bytes.
    public let shallowBytes: Int?
    /// When the oldest live instance was born.
    public let oldest: MonotonicTime?
    /// How many live instances are fine.
    public let budget: Int?
    /// The group that the type belongs to.
    public let group: String?
    /// Live instances that are overdue.
    public let overdue: Int
    /// Instances that went late, as far as they are remembered.
    public let late: Int
    /// Live instances whose owner has gone.
    public let orphanOwner: Int

    /// Whether there are more live instances than the budget allows.
    public var isOverBudget: Bool { budget.map { live > UInt64($0) } ?? false }
}

/// What a snapshot says of a group of types.
public struct GroupRecord: Sendable {
    /// The group's name.
    public let name: String
    /// Live instances of all its types.
    public let live: UInt64
    /// How many are fine.
    public let budget: Int?

    /// Whether there are more live instances than the budget allows.
    public var isOverBudget: Bool { budget.map { live > UInt64($0) } ?? false }
}
