/// The rules of a registry, and how far they have been applied to its types.
///
/// Has no lock of its own: state inside a lock of ``LifetimeRegistry``. The types of a registry only become more, so a
/// number says which ones have been judged.
struct RuleTable: LockedState {
    /// The rules in force; `nil` if there are none.
    private(set) var rules: RegistryRules?
    /// The file with the rules, if they come from a file.
    private(set) var file: String?
    /// The number of types that have been judged, in the order of the registry's table of types.
    private(set) var judgedTypes = 0
    /// The types whose growth is expected.
    private(set) var expectedGrowth: Set<TypeName> = []
    /// The number of types that some pattern matches.
    private(set) var matchedTypes = 0
    /// Whether each pattern matches a type that has been judged.
    private(set) var isMatched: [Bool] = []

    /// The shortest time between two searches for new types.
    static let period = Duration.seconds(1)

    mutating func set(_ rules: RegistryRules?, file: String?) {
        self = RuleTable()
        self.rules = rules
        self.file = file
        isMatched = Array(repeating: false, count: rules?.patterns.count ?? 0)
    }

    /// Judges further types.
    ///
    /// - Parameter types: The types behind those that have been judged.
    /// - Returns: The rulings on the types that some pattern matches.
    mutating func judge(
        _ types: some Sequence<TypeTable.Entry>
    ) -> [(type: TypeIndex, name: TypeName, ruling: RegistryRules.Ruling)] {
        guard let rules else { return [] }
        var rulings: [(type: TypeIndex, name: TypeName, ruling: RegistryRules.Ruling)] = []
        for entry in types {
            // No pattern is meant for the entry that stands for many types.
            guard entry.shallowBytes != nil else {
                judgedTypes += 1
                continue
            }
            let ruling = rules.ruling(on: entry.plainName)
            if !ruling.matches.isEmpty {
                rulings.append((TypeIndex(rawValue: Int32(judgedTypes)), entry.name, ruling))
                matchedTypes += 1
                for position in ruling.matches { isMatched[position] = true }
                if ruling.expectedGrowth?.value != nil { expectedGrowth.insert(entry.name) }
            }
            judgedTypes += 1
        }
        return rulings
    }
}
