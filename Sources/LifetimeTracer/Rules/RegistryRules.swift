/// Rules for the types of a registry, which the program does not state itself.
///
/// For each property of a type, the first rule in order holds that matches the type and states the property. A rule
/// precedes the settings of the program's code.
package struct RegistryRules: Sendable {
    /// The value that a rule states, or that the type has none, as an exception from later rules and from the code.
    package enum Statement<Value: Sendable & Hashable>: Sendable, Hashable {
        case null
        case value(Value)

        /// The stated value; `nil` if the type has none.
        var value: Value? {
            if case .value(let value) = self { value } else { nil }
        }
    }

    /// A rule for the types that match a pattern; `nil` for a property of which it says nothing.
    package struct TypeRule: Sendable, Hashable {
        package let pattern: TypePattern
        /// The most live instances.
        package var budget: Statement<Int>?
        /// The maximum age of instances.
        package var maximumAge: Statement<Duration>?
        /// The reason for which growth is expected, and gives no verdict.
        package var expectedGrowth: Statement<String>?
        /// Whether instances are not traced.
        package var leavesOut: Bool?

        package init(_ pattern: TypePattern) {
            self.pattern = pattern
        }

        fileprivate var statesProperties: Bool { budget != nil || maximumAge != nil || expectedGrowth != nil }
    }

    /// A group of types, with a budget for all of them together.
    package struct GroupRule: Sendable, Hashable {
        package let name: String
        package let patterns: [TypePattern]
        /// The most live instances; `nil` for a group without a budget.
        package let budget: Int?

        package init(_ name: String, _ patterns: [TypePattern], budget: Int? = nil) {
            self.name = name
            self.patterns = patterns
            self.budget = budget
        }
    }

    /// The rules for types, in order.
    package var types: [TypeRule]
    /// The groups, in order.
    package var groups: [GroupRule]

    package init(types: [TypeRule] = [], groups: [GroupRule] = []) {
        self.types = types
        self.groups = groups
    }

    /// All patterns, those of the groups behind the others.
    var patterns: [TypePattern] { types.map(\.pattern) + groups.flatMap(\.patterns) }

    /// Whether there are rules for types that are traced.
    var judgesTypes: Bool { !groups.isEmpty || types.contains(where: \.statesProperties) }

    var leavesTypesOut: Bool { types.contains { $0.leavesOut == true } }

    /// What the rules say about one type.
    struct Ruling: Sendable {
        var budget: Statement<Int>?
        var maximumAge: Statement<Duration>?
        var expectedGrowth: Statement<String>?
        var leavesOut: Bool?
        var group: String?
        /// The positions of the patterns that match the type, in ``RegistryRules/patterns``.
        var matches: [Int] = []
    }

    /// Finds what the rules say about a type.
    ///
    /// Compares the name with each pattern, so the caller asks once for each type.
    func ruling(on type: TypeName) -> Ruling {
        var ruling = Ruling()
        for (position, rule) in types.enumerated() where rule.pattern.matches(type) {
            ruling.matches.append(position)
            ruling.budget = ruling.budget ?? rule.budget
            ruling.maximumAge = ruling.maximumAge ?? rule.maximumAge
            ruling.expectedGrowth = ruling.expectedGrowth ?? rule.expectedGrowth
            ruling.leavesOut = ruling.leavesOut ?? rule.leavesOut
        }
        var position = types.count
        for group in groups {
            for pattern in group.patterns {
                if pattern.matches(type) {
                    ruling.matches.append(position)
                    ruling.group = ruling.group ?? group.name
                }
                position += 1
            }
        }
        return ruling
    }
}
