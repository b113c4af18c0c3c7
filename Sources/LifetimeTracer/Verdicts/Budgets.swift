/// How many live instances of types and groups are fine.
///
/// Not locked: state inside a lock of ``LifetimeRegistry``.
struct BudgetTable: LockedState {
    /// Budgets by type.
    private(set) var byType: [TypeIndex: Int] = [:]
    /// Budgets by group.
    private(set) var byGroup: [String: Int] = [:]
    /// The group of each type that has one.
    var groups: [TypeIndex: String] = [:]

    private var typesOver: Set<TypeIndex> = []
    private var groupsOver: Set<String> = []

    var isEmpty: Bool { byType.isEmpty && byGroup.isEmpty }

    /// Sets a budget anew: whether it is kept is found out, and reported, anew as well.
    mutating func setBudget(_ budget: Int?, for type: TypeIndex) {
        byType[type] = budget
        typesOver.remove(type)
    }

    /// Sets a budget anew.
    mutating func setBudget(_ budget: Int?, forGroup group: String) {
        byGroup[group] = budget
        groupsOver.remove(group)
    }

    /// The live instances of each group.
    func liveByGroup(_ types: [TypeTable.Entry]) -> [String: UInt64] {
        var live: [String: UInt64] = [:]
        for (type, group) in groups { live[group, default: 0] += types.live(of: type) }
        for group in byGroup.keys where live[group] == nil { live[group] = 0 }
        return live
    }

    /// How many types and groups are over their budgets.
    func countOverBudget(_ types: [TypeTable.Entry]) -> Int {
        let live = liveByGroup(types)
        return byType.count { types.live(of: $0.key) > UInt64($0.value) }
            + byGroup.count { (live[$0.key] ?? 0) > UInt64($0.value) }
    }

    /// Finds what has gone over its budget since the last look.
    mutating func collectOverBudget(_ types: [TypeTable.Entry], at now: MonotonicTime) -> [Verdict] {
        var found: [Verdict] = []
        for (index, budget) in byType.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let live = types.live(of: index)
            guard live > UInt64(budget) else {
                typesOver.remove(index)
                continue
            }
            guard typesOver.insert(index).inserted else { continue }
            found.append(.overBudget(types[Int(index.rawValue)].name, live: live, budget: budget, at: now))
        }
        let live = liveByGroup(types)
        for (group, budget) in byGroup.sorted(by: { $0.key < $1.key }) {
            guard let count = live[group], count > UInt64(budget) else {
                groupsOver.remove(group)
                continue
            }
            guard groupsOver.insert(group).inserted else { continue }
            found.append(.overBudget(group: group, live: count, budget: budget, at: now))
        }
        return found
    }
}

extension [TypeTable.Entry] {
    /// The live instances of a type; none for one that has been seen only since the entries were copied.
    fileprivate func live(of type: TypeIndex) -> UInt64 {
        Int(type.rawValue) < count ? self[Int(type.rawValue)].live : 0
    }
}

extension LifetimeRegistry {
    /// Sets how many live instances of a type are fine; more are reported as over budget.
    ///
    /// Budgets are looked at once a second and at every ``check()``.
    ///
    /// - Parameters:
    ///   - budget: The most that are fine, from 0; `nil` takes the budget back.
    ///   - type: The type itself, without its subclasses.
    /// - Throws: ``TracerError`` for a negative budget.
    public func setBudget(_ budget: Int?, for type: AnyClass) throws(TracerError) {
        if let budget, budget < 0 { throw .invalidCount("budget", budget) }
        let index = store.index(of: type)
        budgets.withLock { $0.setBudget(budget, for: index) }
        thread.wake(by: clock.now())
    }

    /// Sets how many live instances of all types of a group are fine.
    ///
    /// - Parameters:
    ///   - budget: The most that are fine, from 0; `nil` takes the budget back.
    ///   - group: The group; types join it with ``assign(_:toGroup:)``.
    /// - Throws: ``TracerError`` for a negative budget.
    public func setBudget(_ budget: Int?, forGroup group: String) throws(TracerError) {
        if let budget, budget < 0 { throw .invalidCount("budget", budget) }
        budgets.withLock { $0.setBudget(budget, forGroup: group) }
        thread.wake(by: clock.now())
    }

    /// Puts types into a group, taking them from the one they were in.
    public func assign(_ types: AnyClass..., toGroup group: String) {
        let indices = types.map { store.index(of: $0) }
        budgets.withLock { budgets in
            for index in indices { budgets.groups[index] = group }
        }
    }
}
