import LifetimeTracer

/// The objects and tokens that are left although the rules do not allow them.
///
/// Pure: computed only from the contents of a registry and the rules.
struct Judgement: Sendable {
    /// The instances of types that exceed their budget, oldest first.
    ///
    /// Contains all instances of such a type, because the surplus ones cannot be told from the others.
    private(set) var instances: [InstanceRecord] = []
    /// The budget of each type of those instances, where the type has one.
    private(set) var budgets: [TypeName: Int] = [:]
    /// The tokens in force that the rules do not allow, oldest first.
    private(set) var tokens: [TokenRecord] = []
    /// The number of instances that the registry could not list.
    private(set) var unlisted = 0

    /// Whether everything that is left is allowed.
    var isClean: Bool { instances.isEmpty && tokens.isEmpty && unlisted == 0 }

    /// Applies the rules to the leftovers.
    ///
    /// - Parameters:
    ///   - leftovers: The instances and tokens that are left.
    ///   - unlisted: The number of instances that the registry could not list.
    ///   - rules: The instances and tokens that may be left.
    ///   - registry: The registry that recorded the leftovers; it gives the names of the rules' types.
    init(of leftovers: Leftovers, unlisted: Int = 0, by rules: LeakRules, in registry: LifetimeRegistry) {
        let exempt = rules.exemptions.names(in: registry)
        let allowed = rules.budgets.byName(in: registry)
        let counts = leftovers.instances.reduce(into: [TypeName: Int]()) { $0[$1.type, default: 0] += 1 }
        self.unlisted = unlisted
        instances = leftovers.instances.filter { record in
            !exempt.contains(record.type) && counts[record.type, default: 0] > allowed[record.type, default: 0]
        }
        for record in instances { budgets[record.type] = allowed[record.type] }
        tokens = leftovers.tokens.filter { token in
            !rules.exemptEvents.contains(token.event) && !(token.ownerType.map(exempt.contains) ?? false)
        }
    }

    /// The number of instances of each type, largest first.
    var counts: [(type: TypeName, count: Int)] {
        instances.reduce(into: [TypeName: Int]()) { $0[$1.type, default: 0] += 1 }
            .map { (type: $0.key, count: $0.value) }
            .sorted { ($1.count, $0.type.qualified) < ($0.count, $1.type.qualified) }
    }
}
