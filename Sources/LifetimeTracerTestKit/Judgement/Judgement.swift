import LifetimeTracer

/// What is left and should not be.
///
/// Pure: it comes from what was found in a registry and from the rules, and from nothing else.
struct Judgement: Sendable {
    /// The instances of types that are over their budgets, oldest first; all of such a type, as nobody knows which is one
    /// too many.
    private(set) var instances: [InstanceRecord] = []
    /// The budget of each of their types that has one.
    private(set) var budgets: [TypeName: Int] = [:]
    /// The tokens in force, oldest first.
    private(set) var tokens: [TokenRecord] = []
    /// Instances that the registry had no room to list.
    private(set) var unlisted: UInt64 = 0

    /// Whether nothing is left that should not be.
    var isClean: Bool { instances.isEmpty && tokens.isEmpty && unlisted == 0 }

    /// Judges what is left.
    ///
    /// - Parameters:
    ///   - leftovers: What is left.
    ///   - unlisted: Instances that the registry had no room to list.
    ///   - rules: What may be left.
    ///   - registry: Where it was recorded; tells the names of the rules' types.
    init(of leftovers: Leftovers, unlisted: UInt64 = 0, by rules: LeakRules, in registry: LifetimeRegistry) {
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

    /// The number of instances of each type, the most first.
    var counts: [(type: TypeName, count: Int)] {
        instances.reduce(into: [TypeName: Int]()) { $0[$1.type, default: 0] += 1 }
            .map { (type: $0.key, count: $0.value) }
            .sorted { ($1.count, $0.type.qualified) < ($0.count, $1.type.qualified) }
    }
}
