import CLifetimeRuntime
import ForkTesting
import LifetimeTracer
import Testing

/// Rules for the types of a registry.
@Suite struct RuleTests {
    private let bench = Bench()

    private static func rule(
        _ pattern: String, _ change: (inout RegistryRules.TypeRule) -> Void
    ) throws -> RegistryRules.TypeRule {
        var rule = RegistryRules.TypeRule(try #require(TypePattern(pattern)))
        change(&rule)
        return rule
    }

    private func setBudget(_ budget: RegistryRules.Statement<Int>, for pattern: String) throws {
        bench.registry.setRules(RegistryRules(types: [try Self.rule(pattern) { $0.budget = budget }]))
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
                try Self.rule("Screen") { $0.maximumAge = .value(.seconds(9)) },
                try Self.rule("S*") { $0.budget = .value(3) },
                try Self.rule("Plain") { $0.budget = .null },
                try Self.rule("*") { $0.budget = .value(5) },
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
                try Self.rule("Plain") { $0.budget = .value(10) }, try Self.rule("Screen") { $0.budget = .null },
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
        bench.registry.setRules(RegistryRules(types: [try Self.rule(pattern) { $0.maximumAge = age }]))
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
        bench.registry.setRules(RegistryRules(types: [try Self.rule("Plain") { $0.expectedGrowth = reason }]))
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
        bench.registry.setRules(RegistryRules(types: [try Self.rule("Plain") { $0.expectedGrowth = .value("x") }]))
        bench.registry.startHistory()
        let objects = (0..<14).flatMap { _ -> [TracedObject] in
            let objects = bench.make { (0..<40).map { _ in [Plain(), Screen()] as [TracedObject] }.flatMap(\.self) }
            bench.pass(.seconds(60))
            return objects
        }
        #expect(bench.registry.growth().map(\.subject.name) == ["Screen"])
        withExtendedLifetime(objects) {}
    }

    // MARK: Types to leave out

    private func leaveOut(_ patterns: String..., except: [String] = []) throws {
        let exceptions = try except.map { try Self.rule($0) { $0.leavesOut = false } }
        bench.registry.setRules(
            RegistryRules(types: exceptions + (try patterns.map { try Self.rule($0) { $0.leavesOut = true } })))
    }

    @Test func typesToLeaveOutAreNotTraced() throws {
        try leaveOut("Pl*", "Flow")
        var objects: [TracedObject] = bench.make { (0..<10).flatMap { _ in [Plain(), Flow(), Screen()] } }
        #expect(bench.registry.snapshot().types.map(\.type.name) == ["Screen"])
        #expect(bench.registry.summary().live == 10 && bench.registry.summary().born == 10)
        #expect(bench.registry.ruleStatus()?.leftOutTypes == 2)
        #expect(bench.registry.ruleStatus()?.unmatched == [])
        let selected = bench.registry.snapshot().instances.ofTypes { _ in true }
        #expect(selected.count == 10)
        objects.removeAll()
        #expect(bench.registry.summary().live == 0 && bench.registry.summary().died == 10)
    }

    @Test func aFalseRuleIsAnException() throws {
        try leaveOut("*", except: ["Plain"])
        let objects: [TracedObject] = bench.make { [Plain(), Screen(), Flow()] }
        #expect(bench.registry.snapshot().types.map(\.type.name) == ["Plain"])
        withExtendedLifetime(objects) {}
    }

    /// An instance that was counted must be counted to its death, and its type with it.
    @Test func typesThatWereTracedBeforeTheRulesStayTraced() throws {
        var objects = bench.make { [Plain(), Plain()] }
        try leaveOut("Plain")
        objects += bench.make { [Plain(), Plain(line: 7)] }
        #expect(type("Plain")?.live == 4)
        objects.removeAll()
        #expect(type("Plain")?.live == 0 && type("Plain")?.died == 4)
    }

    @Test func aTypeWithABudgetInCodeCanBeLeftOut() throws {
        try bench.registry.setBudget(1, for: Plain.self)
        try leaveOut("Plain")
        let objects = bench.make { [Plain(), Plain()] }
        bench.registry.check()
        #expect(bench.messages.isEmpty && type("Plain")?.live == 0)
        withExtendedLifetime(objects) {}
    }

    @Test func expectationsOnObjectsThatAreLeftOutAreRefused() throws {
        try leaveOut("Plain")
        let plain = bench.make { Plain() }
        let error = #expect(throws: TracerError.self) {
            try bench.registry.expectDeallocation(of: plain, within: .zero, because: "x")
        }
        #expect(error?.code == .notTraced && error?.message.contains("a rule leaves its type out") == true)
    }

    @Test func invariantsWithATypeThatIsLeftOutAreNotJudged() throws {
        try bench.registry.expect(1, of: Plain.self, forEach: Screen.self, because: "a screen has one")
        try leaveOut("Plain")
        let objects: [TracedObject] = bench.make { [Plain(), Screen()] }
        try bench.registry.expect(1, of: Plain.self, forEach: Screen.self, because: "once more")
        for _ in 0..<3 { bench.pass(.seconds(600)) }
        #expect(bench.messages.isEmpty)
        withExtendedLifetime(objects) {}
    }

    @Test func anOwnerThatIsLeftOutDoesNotCountAsDead() throws {
        try leaveOut("Plain")
        let owner = bench.make { Plain() }
        let screen = bench.make { Screen(owner: owner) }
        bench.pass(.seconds(600))
        #expect(bench.messages.isEmpty && type("Screen")?.orphanOwner == 0)
        withExtendedLifetime((owner, screen)) {}
    }

    @Test func anOwnerOfATokenThatIsLeftOutCountsAsLive() async {
        await #expect(processExitsWith: .success) {
            let registry = LifetimeRegistry.shared
            registry.setRules(RegistryRules(types: [try RuleTests.rule("Plain") { $0.leavesOut = true }]))
            let owner = Plain()
            let token = ObserverToken(.hub, event: "changed", owner: owner) {}
            demand(registry.snapshot().tokens.map { $0.owner?.isLive } == [true])
            withExtendedLifetime((owner, token)) {}
        }
    }

    @Test func patternsThatMatchOnlyTypesThatAreLeftOutAreKnown() throws {
        try leaveOut("Plain")
        let plain = bench.make { Plain() }
        bench.registry.setRules(
            RegistryRules(types: [
                try Self.rule("Pl*") { $0.budget = .value(1) }, try Self.rule("Screen") { $0.budget = .value(1) },
            ]))
        #expect(bench.registry.ruleStatus()?.unmatched == ["Screen"])
        bench.registry.setRules(nil)
        #expect(bench.registry.ruleStatus() == nil && bench.registry.summary().live == 0)
        let another = bench.make { Plain() }
        #expect(bench.registry.summary().live == 0, "the type stays left out")
        withExtendedLifetime((plain, another)) {}
    }

    @Test(arguments: [false, true]) func theSharedRegistryLeavesTypesOut(recordsStacks: Bool) async {
        await #expect(processExitsWith: .success) { [recordsStacks] in
            let registry = LifetimeRegistry.shared
            registry.recordsCreationStacks = recordsStacks
            var early: [TracedObject] = [Screen()]
            registry.setRules(
                RegistryRules(
                    types: try ["Plain", "Screen"].map { try RuleTests.rule($0) { $0.leavesOut = true } }))
            let before = registry.summary().born
            @Sendable func makeObjects() -> [TracedObject] {
                (0..<1000).flatMap { _ in [Plain(), Flow(), Plain()] as [TracedObject] }
            }
            let threads = (0..<4).map { _ in OSThread { _ = makeObjects() } }
            for thread in threads { thread.join() }
            demand(registry.summary().born - before == 4000, "\(registry.summary().born - before)")
            demand(registry.summary().died == 4000, "\(registry.summary().died)")
            var objects = makeObjects()
            early.append(Screen())
            let names = registry.snapshot().types.map(\.type.name).sorted()
            demand(names == ["Flow", "Screen"], "\(names)")
            demand(registry.snapshot().instances.count == 1002, "\(registry.snapshot().instances.count)")
            // Otherwise an optimised build releases the objects before they are counted.
            withExtendedLifetime(objects) {}
            objects.removeAll()
            demand(registry.summary().live == 2, "\(registry.summary().live)")
            withExtendedLifetime(early) {}
        }
    }

    /// The first birth at a site asks the rules; later ones are told by the table of contexts.
    @Test(arguments: [false, true]) func laterBirthsOfATypeThatIsLeftOutNeedNoLock(recordsStacks: Bool) async {
        await #expect(processExitsWith: .success) { [recordsStacks] in
            LifetimeRegistry.shared.recordsCreationStacks = recordsStacks
            LifetimeRegistry.shared.setRules(
                RegistryRules(types: [try RuleTests.rule("Plain") { $0.leavesOut = true }]))
            let file: StaticString = #fileID
            let token = LifetimeToken(of: Plain.self, file: file, line: 1)
            let type = UInt(bitPattern: ObjectIdentifier(Plain.self))
            func birth(line: Int) -> lt_handle { lt_birth(type, UInt(bitPattern: file.utf8Start), line) }
            demand(birth(line: 1) & (LT_UNLISTED | LT_TYPE_MASK) == LT_UNTRACED)
            demand(birth(line: 2) == LT_NEEDS_CONTEXT, "another site")
            withExtendedLifetime(token) {}
        }
    }
}
