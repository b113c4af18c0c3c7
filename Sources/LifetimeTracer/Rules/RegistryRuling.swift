extension LifetimeRegistry {
    /// Puts rules in force, in place of earlier ones.
    ///
    /// A rule precedes a setting of the program's code for the same property of a type. The rules apply to all types,
    /// also to those whose instances exist already, except for types to leave out: a type stays traced if instances of
    /// it were born before, and stays left out if it was. Births cost nothing more; the registry looks for new types
    /// once a second.
    ///
    /// - Parameters:
    ///   - rules: The rules; `nil` removes those in force.
    ///   - file: The file with the rules, for ``ruleStatus()``.
    package func setRules(_ rules: RegistryRules?, file: String? = nil) {
        let now = clock.now()
        // The table of types comes first, so that no type that is judged below is left out later.
        store.setRules(rules)
        ruleTable.withLock { table in
            table.set(rules, file: file)
            budgets.withLock { $0.removeRules() }
            let changed = ageLimits.withLock { $0.removeRules(at: now) }
            cancelAgeDeadlines(of: changed)
            for group in rules?.groups ?? [] {
                guard let budget = group.budget else { continue }
                budgets.withLock { $0.setRule(.value(budget), forGroup: group.name) }
            }
        }
        applyRules()
        // Rules that only leave types out, or none, need no thread.
        if ruleTable.withLock({ $0.rules?.judgesTypes ?? true }) { thread.wake(by: now) }
    }

    /// Applies the rules to the types that were first seen since the last call.
    ///
    /// Costs two short locks if there are none.
    func applyRules() {
        let now = clock.now()
        ruleTable.withLock { table in
            guard table.rules != nil else { return }
            let rulings = table.judge(store.types(from: table.judgedTypes))
            guard !rulings.isEmpty else { return }
            budgets.withLock { budgets in
                for (type, _, ruling) in rulings {
                    if let budget = ruling.budget { budgets.setRule(budget, for: type) }
                    if let group = ruling.group { budgets.setRule(group: group, for: type) }
                }
            }
            let changed = ageLimits.withLock { limits in
                rulings.filter { _, _, ruling in ruling.maximumAge != nil }.filter { type, _, ruling in
                    ruling.maximumAge.map { limits.setRule($0, for: type, at: now) } ?? false
                }
            }
            for (_, name, _) in changed { deadlines.withLock { $0.cancelAgeDeadlines(of: name) } }
        }
    }

    /// The types whose growth is expected.
    var typesWithExpectedGrowth: Set<TypeName> { ruleTable.withLock { $0.expectedGrowth } }

    /// When to look for new types; `nil` if no rule judges types.
    func nextLookForTypes(after now: MonotonicTime) -> MonotonicTime? {
        ruleTable.withLock { $0.rules?.judgesTypes == true ? now + RuleTable.period : nil }
    }

    private func cancelAgeDeadlines(of types: [TypeIndex]) {
        guard !types.isEmpty else { return }
        let entries = store.types(from: 0)
        for type in types {
            let name = entries[Int(type.rawValue)].name
            deadlines.withLock { $0.cancelAgeDeadlines(of: name) }
        }
    }
}

/// How the rules of a registry apply.
package struct RuleStatus: Sendable {
    /// The file with the rules, if they come from a file.
    package let file: String?
    /// The number of traced types that some rule matches.
    package let types: Int
    /// The number of types that are left out.
    package let leftOutTypes: Int
    /// The patterns that match no type so far, in the order of the rules.
    package let unmatched: [String]
}

extension LifetimeRegistry {
    /// How the rules apply to the types that the registry's thread has seen; `nil` if there are no rules.
    package func ruleStatus() -> RuleStatus? {
        let (leftOutTypes, matchedByLeftOut) = store.leftOutTypes()
        return ruleTable.withLock { table in
            guard let rules = table.rules else { return nil }
            let unmatched = rules.patterns.indices.filter {
                !table.isMatched[$0] && !matchedByLeftOut.contains($0)
            }
            return RuleStatus(
                file: table.file, types: table.matchedTypes, leftOutTypes: leftOutTypes,
                unmatched: unmatched.map { rules.patterns[$0].description })
        }
    }
}
