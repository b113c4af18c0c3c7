import LifetimeTracer
import Testing

@Suite struct BudgetTests {
    @Test func typeOverBudgetIsReportedOnceUntilItsCountFalls() throws {
        let bench = Bench()
        try bench.registry.setBudget(2, for: Plain.self)
        var objects = bench.make { [Plain(), Plain()] }
        bench.registry.check()
        #expect(bench.messages.isEmpty)
        objects += bench.make { [Plain(), Plain()] }
        bench.registry.check()
        bench.pass(.seconds(5))
        #expect(bench.messages == ["overBudget: 4 live instances of Plain, 2 budgeted"])
        #expect(bench.registry.summary().overBudget == 1)
        #expect(bench.registry.snapshot().types[0].isOverBudget)
        objects.removeLast(2)
        bench.registry.check()
        #expect(bench.registry.summary().overBudget == 0)
        objects += bench.make { [Plain()] }
        bench.registry.check()
        #expect(bench.messages.count == 2)
        try bench.registry.setBudget(nil, for: Plain.self)
        #expect(bench.registry.summary().overBudget == 0)
    }

    @Test func budgetSetAgainIsCheckedAgain() throws {
        let bench = Bench()
        let objects = bench.make { [Plain(), Plain()] }
        for _ in 0..<2 {
            try bench.registry.setBudget(1, for: Plain.self)
            bench.registry.check()
            try bench.registry.setBudget(nil, for: Plain.self)
        }
        #expect(bench.messages.count == 2)
        withExtendedLifetime(objects) {}
    }

    @Test func groupOverItsBudgetIsReported() throws {
        let bench = Bench()
        bench.registry.assign(Plain.self, Screen.self, toGroup: "ui")
        try bench.registry.setBudget(2, forGroup: "ui")
        let objects: [TracedObject] = bench.make { [Plain(), Screen(), Screen()] }
        bench.registry.check()
        #expect(bench.messages == ["overBudget: 3 live instances in group ui, 2 budgeted"])
        let group = try #require(bench.registry.snapshot().groups.first)
        #expect(group.name == "ui" && group.live == 3 && group.budget == 2 && group.isOverBudget)
        withExtendedLifetime(objects) {}
    }

    @Test func messagesSeparateThousands() throws {
        let bench = Bench()
        bench.registry.assign(Plain.self, toGroup: "ui")
        // First, because a new budget wakes the tracer's thread, which may check budgets at any time after that.
        let objects = bench.make { (0..<1151).map { _ in Plain() } }
        try bench.registry.setBudget(1000, for: Plain.self)
        try bench.registry.setBudget(1100, forGroup: "ui")
        try bench.registry.expect(0, of: Plain.self, forEach: Plain.self, because: "none is left")
        try bench.registry.setTokenThreshold(1000, event: "changed", ownerType: Plain.self)
        let tokens = objects.map { ObserverToken(.hub, event: "changed", owner: $0) {} }
        bench.registry.check()
        bench.pass(.seconds(60))
        #expect(
            Set(bench.messages) == [
                "overBudget: 1,151 live instances of Plain, 1,000 budgeted",
                "overBudget: 1,151 live instances in group ui, 1,100 budgeted",
                "brokenInvariant: 1,151 live Plain and 1,151 live Plain, expected 0 for each Plain: none is left",
                "crowded: 1,001 tokens for changed in force for Plain",
            ])
        withExtendedLifetime((objects, tokens)) {}
    }

    @Test func budgetsBelowZeroAreRefused() {
        let bench = Bench()
        #expect(throws: TracerError.self) { try bench.registry.setBudget(-1, for: Plain.self) }
        #expect(throws: TracerError.self) { try bench.registry.setBudget(-1, forGroup: "ui") }
    }
}

@Suite struct InvariantTests {
    @Test func aBrokenInvariantIsReportedAfterTheGrace() throws {
        let bench = Bench()
        try bench.registry.expect(2, of: Plain.self, forEach: Screen.self, because: "two parts a screen")
        let screen = bench.make { Screen() }
        bench.registry.check()
        var parts = bench.make { [Plain(), Plain()] }
        bench.pass(.seconds(5))
        #expect(bench.messages.isEmpty)
        parts.removeLast()
        bench.registry.check()
        bench.pass(.milliseconds(999))
        #expect(bench.messages.isEmpty)
        bench.pass(.milliseconds(1))
        #expect(
            bench.messages == [
                "brokenInvariant: 1 live Screen and 1 live Plain, expected 2 for each Screen: two parts a screen"
            ])
        #expect(bench.registry.summary().brokenInvariants == 1)
        parts += bench.make { [Plain()] }
        bench.registry.check()
        #expect(bench.registry.summary().brokenInvariants == 0)
        withExtendedLifetime(screen) {}
    }

    @Test func hugeExpectedCountBreaksTheInvariantWithoutTrap() throws {
        let bench = Bench()
        try bench.registry.expect(.max, of: Plain.self, forEach: Screen.self, because: "x")
        let screens = bench.make { [Screen(), Screen(), Screen()] }
        bench.registry.check()
        bench.pass(.seconds(1))
        #expect(bench.registry.summary().brokenInvariants == 1)
        withExtendedLifetime(screens) {}
    }

    @Test func countsBelowZeroAreRefused() {
        let bench = Bench()
        let error = #expect(throws: TracerError.self) {
            try bench.registry.expect(-3, of: Plain.self, forEach: Screen.self, because: "x")
        }
        #expect(error?.message == "The count -3 is negative.")
    }
}
