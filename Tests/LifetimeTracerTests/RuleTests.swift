import LifetimeTracer
import Testing

/// Rules for the types of a registry.
@Suite struct RuleTests {
    private let bench = Bench()

    private func setBudget(_ budget: RegistryRules.Statement<Int>, for pattern: String) throws {
        bench.registry.setRules(RegistryRules(types: [try .matching(pattern) { $0.budget = budget }]))
    }

    private func type(_ name: String) -> TypeRecord? {
        bench.registry.snapshot().types.first { $0.type.name == name }
    }

    private var overdue: [DeadlineRecord] { bench.registry.snapshot().deadlines.filter(\.isOverdue) }

    // MARK: Budgets

    @Test(arguments: ["LifetimeTracerTests.Plain", "Plain", "*.Plain", "Pl*n", "LifetimeTracerTests.*"])
    func budgetAppliesToTypesThatThePatternMatches(pattern: String) throws {
        try setBudget(.value(1), for: pattern)
        let objects = bench.make { [Plain(), Plain()] }
        bench.registry.check()
        #expect(bench.messages == ["overBudget: 2 live instances of Plain, 1 budgeted"])
        #expect(type("Plain")?.budget == 1 && bench.registry.summary().overBudget == 1)
        withExtendedLifetime(objects) {}
    }

    @Test(arguments: ["Plai", "plain", "Other.Plain", "*.Screen"])
    func otherTypesHaveNoBudget(pattern: String) throws {
        try setBudget(.value(0), for: pattern)
        let objects = bench.make { [Plain(), Plain()] }
        bench.registry.check()
        #expect(bench.messages.isEmpty && type("Plain")?.budget == nil)
        #expect(bench.registry.ruleStatus()?.unmatched == [pattern])
        withExtendedLifetime(objects) {}
    }

    @Test func objectsCreatedBeforeTheRulesAreCounted() throws {
        let objects = bench.make { [Plain(), Plain(), Plain()] }
        try setBudget(.value(2), for: "Plain")
        bench.registry.check()
        #expect(bench.messages == ["overBudget: 3 live instances of Plain, 2 budgeted"])
        withExtendedLifetime(objects) {}
    }

    @Test func eachTypeOfAPatternHasTheBudgetForItself() throws {
        try setBudget(.value(1), for: "LifetimeTracerTests.*")
        let objects: [TracedObject] = bench.make { [Plain(), Screen(), Screen(), Flow()] }
        bench.registry.check()
        #expect(bench.messages == ["overBudget: 2 live instances of Screen, 1 budgeted"])
        withExtendedLifetime(objects) {}
    }

    @Test func theFirstRuleThatStatesAPropertyHolds() throws {
        bench.registry.setRules(
            RegistryRules(types: [
                try .matching("Screen") { $0.maximumAge = .value(.seconds(9)) },
                try .matching("S*") { $0.budget = .value(3) },
                try .matching("Plain") { $0.budget = .null },
                try .matching("*") { $0.budget = .value(5) },
            ]))
        let objects: [TracedObject] = bench.make { [Plain(), Screen(), Flow()] }
        #expect(type("Screen")?.budget == 3 && type("Screen")?.maximumAge == .seconds(9))
        #expect(type("Plain")?.budget == nil && type("Flow")?.budget == 5)
        withExtendedLifetime(objects) {}
    }

    /// Whichever was set first.
    @Test func rulesPrecedeTheCode() throws {
        try bench.registry.setBudget(1, for: Plain.self)
        try bench.registry.setBudget(1, for: Screen.self)
        bench.registry.setRules(
            RegistryRules(types: [
                try .matching("Plain") { $0.budget = .value(10) }, try .matching("Screen") { $0.budget = .null },
            ]))
        let objects: [TracedObject] = bench.make { [Plain(), Plain(), Screen(), Screen()] }
        bench.registry.check()
        try bench.registry.setBudget(1, for: Plain.self)
        try bench.registry.setBudget(1, for: Screen.self)
        bench.registry.check()
        #expect(bench.messages.isEmpty)
        #expect(type("Plain")?.budget == 10 && type("Screen")?.budget == nil)
        bench.registry.setRules(nil)
        bench.registry.check()
        #expect(
            bench.messages.sorted() == [
                "overBudget: 2 live instances of Plain, 1 budgeted",
                "overBudget: 2 live instances of Screen, 1 budgeted",
            ])
        withExtendedLifetime(objects) {}
    }

    @Test func newRulesReplaceTheFormerOnes() throws {
        let objects = bench.make { [Plain(), Plain()] }
        try setBudget(.value(1), for: "Plain")
        bench.registry.check()
        try setBudget(.value(1), for: "Screen")
        bench.registry.check()
        #expect(bench.messages.count == 1 && bench.registry.summary().overBudget == 0)
        withExtendedLifetime(objects) {}
    }

    /// Types with equal names, such as private ones of two files, are numbered in the order of their appearance.
    @Test func typesWithEqualNamesAreMatchedWithoutTheirNumbers() throws {
        func makeFirst() -> TracedObject {
            final class Twin: TracedObject {}
            return Twin()
        }
        func makeSecond() -> TracedObject {
            final class Twin: TracedObject {}
            return Twin()
        }
        try setBudget(.value(0), for: "*Twin")
        let objects = bench.make { [makeFirst(), makeSecond()] }
        bench.registry.check()
        #expect(bench.messages.count == 2, "\(bench.messages)")
        withExtendedLifetime(objects) {}
    }

    // MARK: Groups

    @Test func groupsJoinTypesWithABudgetForAll() throws {
        bench.registry.assign(Plain.self, toGroup: "of the code")
        let patterns = try ["Plain", "Scr*"].map { try #require(TypePattern($0)) }
        bench.registry.setRules(RegistryRules(groups: [.init("ui", patterns, budget: 2), .init("all", patterns)]))
        let objects: [TracedObject] = bench.make { [Plain(), Screen(), Screen(), Flow()] }
        bench.registry.check()
        #expect(bench.messages == ["overBudget: 3 live instances in group ui, 2 budgeted"])
        #expect(type("Plain")?.group == "ui" && type("Screen")?.group == "ui" && type("Flow")?.group == nil)
        #expect(bench.registry.snapshot().groups.map(\.name) == ["ui"])
        bench.registry.setRules(nil)
        #expect(type("Plain")?.group == "of the code" && type("Screen")?.group == nil)
        withExtendedLifetime(objects) {}
    }

    // MARK: Ages

    private func setAge(_ age: RegistryRules.Statement<Duration>, for pattern: String) throws {
        bench.registry.setRules(RegistryRules(types: [try .matching(pattern) { $0.maximumAge = age }]))
    }

    @Test func anInstanceThatIsTooOldIsOverdueAndThenLate() throws {
        try setAge(.value(.seconds(60)), for: "Plain")
        var plain: Plain? = bench.make { Plain() }
        bench.pass(.seconds(59))
        #expect(bench.messages.isEmpty && type("Plain")?.maximumAge == .seconds(60))
        bench.pass(.seconds(2))
        #expect(bench.messages == ["overdue: Plain not deallocated: no Plain lives longer than 60 s"])
        plain = nil
        #expect(plain == nil && bench.messages.count == 2)
        #expect(bench.messages.last?.hasPrefix("late: Plain deallocated 1 s late") == true)
    }

    @Test func anInstanceThatIsOlderThanTheRulesIsOverdue() throws {
        let plain = bench.make { Plain() }
        bench.pass(.seconds(100))
        try setAge(.value(.seconds(60)), for: "Plain")
        bench.registry.check()
        #expect(overdue.map(\.instance) == [plain.lifetimeID])
    }

    @Test func maximumAgesOfRulesPrecedeThoseOfTheCode() throws {
        try bench.registry.setMaximumAge(.seconds(10), for: Plain.self)
        try setAge(.value(.seconds(60)), for: "Plain")
        let plain = bench.make { Plain() }
        bench.pass(.seconds(30))
        #expect(bench.messages.isEmpty)
        bench.pass(.seconds(40))
        #expect(bench.messages.count == 1)
        try bench.registry.setMaximumAge(.seconds(1), for: Plain.self)
        bench.registry.check()
        #expect(bench.messages.count == 1, "the verdict is not repeated")
        #expect(overdue.map(\.reason) == ["no instance lives longer than 60 s"])
        try setAge(.null, for: "Plain")
        bench.registry.check()
        #expect(overdue.isEmpty && type("Plain")?.maximumAge == nil)
        bench.registry.setRules(nil)
        bench.registry.check()
        #expect(overdue.map(\.reason) == ["no instance lives longer than 1 s"])
        withExtendedLifetime(plain) {}
    }

    // MARK: Growth

    @Test(arguments: [true, false]) func expectedGrowthGivesNoVerdict(isExpected: Bool) throws {
        let reason: RegistryRules.Statement<String> = isExpected ? .value("a cache that fills") : .null
        bench.registry.setRules(RegistryRules(types: [try .matching("Plain") { $0.expectedGrowth = reason }]))
        bench.registry.startHistory()
        let objects = (0..<14).flatMap { _ in
            let objects = bench.make { (0..<40).map { _ in Plain() } }
            bench.pass(.seconds(60))
            return objects
        }
        #expect(bench.registry.growth().isEmpty == isExpected, "neither the type nor the process")
        #expect(bench.registry.verdicts().isEmpty == isExpected)
        #expect(bench.registry.summary().growing == (isExpected ? 0 : 1))
        withExtendedLifetime(objects) {}
    }

    @Test func growthOfOtherTypesIsSaid() throws {
        bench.registry.setRules(RegistryRules(types: [try .matching("Plain") { $0.expectedGrowth = .value("x") }]))
        bench.registry.startHistory()
        let objects = (0..<14).flatMap { _ -> [TracedObject] in
            let objects = bench.make { (0..<40).map { _ in [Plain(), Screen()] as [TracedObject] }.flatMap(\.self) }
            bench.pass(.seconds(60))
            return objects
        }
        #expect(bench.registry.growth().map(\.subject.name) == ["Screen"])
        withExtendedLifetime(objects) {}
    }
}

extension RegistryRules.TypeRule {
    /// A rule for the types that match a pattern, with the properties that a closure sets.
    static func matching(_ pattern: String, _ change: (inout Self) -> Void) throws -> Self {
        var rule = Self(try #require(TypePattern(pattern)))
        change(&rule)
        return rule
    }
}
