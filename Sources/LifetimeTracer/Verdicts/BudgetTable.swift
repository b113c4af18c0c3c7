/// The budgets of types and groups for live instances.
///
/// Has no lock of its own: state inside a lock of ``LifetimeRegistry``.
struct BudgetTable: LockedState {
    /// Budgets by type.
    private(set) var byType: [TypeIndex: Int] = [:]
    /// Budgets by group.
    private(set) var byGroup: [String: Int] = [:]
    /// The group of each type that belongs to one.
    var groups: [TypeIndex: String] = [:]

    private var typesOver: Set<TypeIndex> = []
    private var groupsOver: Set<String> = []

    var isEmpty: Bool { byType.isEmpty && byGroup.isEmpty }

    /// Sets a budget; if it is exceeded, that is reported again.
    mutating func setBudget(_ budget: Int?, for type: TypeIndex) {
        byType[type] = budget
        typesOver.remove(type)
    }

    /// Sets the budget of a group; if it is exceeded, that is reported again.
    mutating func setBudget(_ budget: Int?, forGroup group: String) {
        byGroup[group] = budget
        groupsOver.remove(group)
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
