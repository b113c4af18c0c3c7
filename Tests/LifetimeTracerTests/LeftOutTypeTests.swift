import CLifetimeRuntime
import ForkTesting
import LifetimeTracer
import Testing

/// Rules that leave types out.
@Suite struct LeftOutTypeTests {
    private let bench = Bench()

    private func type(_ name: String) -> TypeRecord? {
        bench.registry.snapshot().types.first { $0.type.name == name }
    }

    private func leaveOut(_ patterns: String..., except: [String] = []) throws {
        let exceptions = try except.map { try RegistryRules.TypeRule.matching($0) { $0.leavesOut = false } }
        bench.registry.setRules(
            RegistryRules(types: exceptions + (try patterns.map { try .matching($0) { $0.leavesOut = true } })))
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
            registry.setRules(RegistryRules(types: [try .matching("Plain") { $0.leavesOut = true }]))
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
                try .matching("Pl*") { $0.budget = .value(1) }, try .matching("Screen") { $0.budget = .value(1) },
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
                    types: try ["Plain", "Screen"].map { try .matching($0) { $0.leavesOut = true } }))
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
                RegistryRules(types: [try .matching("Plain") { $0.leavesOut = true }]))
            let file: StaticString = #fileID
            let token = LifetimeToken(of: Plain.self, file: file, line: 1)
            let type = UInt(bitPattern: ObjectIdentifier(Plain.self))
            func birth(line: Int) -> lt_handle {
                lt_birth(type, UInt(bitPattern: file.utf8Start), line) { _, _, _ in LT_FIRST_HANDLE }
            }
            demand(birth(line: 1) & (LT_UNLISTED | LT_TYPE_MASK) == LT_UNTRACED)
            demand(birth(line: 2) == LT_FIRST_HANDLE, "another site needs the completion")
            withExtendedLifetime(token) {}
        }
    }
}
