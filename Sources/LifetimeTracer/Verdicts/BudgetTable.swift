/// The budgets of types and groups for live instances.
///
/// Has no lock of its own: state inside a lock of ``LifetimeRegistry``.
struct BudgetTable: LockedState {
    private var typeBudgets = RuledValues<TypeIndex, Int>()
    private var groupBudgets = RuledValues<String, Int>()
    private var ruledGroups = RuledValues<TypeIndex, String>()

    private var typesOver: Set<TypeIndex> = []
    private var groupsOver: Set<String> = []

    /// Budgets by type.
    var byType: [TypeIndex: Int] { typeBudgets.inForce }
    /// Budgets by group.
    var byGroup: [String: Int] { groupBudgets.inForce }
    /// The group of each type that belongs to one.
    var groups: [TypeIndex: String] { ruledGroups.inForce }

    var isEmpty: Bool { byType.isEmpty && byGroup.isEmpty }

    /// Sets a budget; if it is in force and exceeded, that is reported again.
    mutating func setBudget(_ budget: Int?, for type: TypeIndex) {
        typeBudgets.set(budget, for: type)
        if !typeBudgets.isRuled(type) { typesOver.remove(type) }
    }

    /// Sets the budget of a group; if it is in force and exceeded, that is reported again.
    mutating func setBudget(_ budget: Int?, forGroup group: String) {
        groupBudgets.set(budget, for: group)
        if !groupBudgets.isRuled(group) { groupsOver.remove(group) }
    }

    /// Puts a type into a group, and removes it from its previous group.
    mutating func assign(_ type: TypeIndex, to group: String) {
        ruledGroups.set(group, for: type)
    }

    /// Sets the budget that a rule states, which precedes that of the code.
    mutating func setRule(_ budget: RegistryRules.Statement<Int>, for type: TypeIndex) {
        if typeBudgets.setRule(budget, for: type) { typesOver.remove(type) }
    }

    mutating func setRule(_ budget: RegistryRules.Statement<Int>, forGroup group: String) {
        if groupBudgets.setRule(budget, for: group) { groupsOver.remove(group) }
    }

    /// Puts a type into the group that a rule states, which precedes that of the code.
    mutating func setRule(group: String, for type: TypeIndex) {
        ruledGroups.setRule(.value(group), for: type)
    }

    /// Puts the settings of the code in force again.
    mutating func removeRules() {
        typesOver.subtract(typeBudgets.removeRules())
        groupsOver.subtract(groupBudgets.removeRules())
        ruledGroups.removeRules()
    }

    /// The number of live instances of each group.
    func liveByGroup(_ types: [TypeTable.Entry]) -> [String: Int] {
        var live: [String: Int] = [:]
        for (type, group) in groups { live[group, default: 0] += types.live(of: type) }
        for group in byGroup.keys where live[group] == nil { live[group] = 0 }
        return live
    }

    /// The number of types and groups over their budgets.
    func countOverBudget(_ types: [TypeTable.Entry]) -> Int {
        let live = liveByGroup(types)
        return byType.count { types.live(of: $0.key) > $0.value }
            + byGroup.count { (live[$0.key] ?? 0) > $0.value }
    }

    /// Finds the types and groups that have exceeded their budgets since the last check.
    mutating func collectOverBudget(_ types: [TypeTable.Entry], at now: MonotonicTime) -> [Verdict] {
        var found: [Verdict] = []
        for (index, budget) in byType.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let live = types.live(of: index)
            guard live > budget else {
                typesOver.remove(index)
                continue
            }
            guard typesOver.insert(index).inserted else { continue }
            found.append(.overBudget(types[Int(index.rawValue)].name, live: live, budget: budget, at: now))
        }
        let live = liveByGroup(types)
        for (group, budget) in byGroup.sorted(by: { $0.key < $1.key }) {
            guard let count = live[group], count > budget else {
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
    /// The number of live instances of a type; 0 for a type that was first seen after the entries were copied.
    fileprivate func live(of type: TypeIndex) -> Int {
        Int(type.rawValue) < count ? self[Int(type.rawValue)].live : 0
    }
}
