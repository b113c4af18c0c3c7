import LifetimeTracer
import Testing

/// The maximum age of a type's instances.
@Suite struct MaximumAgeTests {
    private let bench = Bench()

    private var overdue: [DeadlineRecord] { bench.registry.snapshot().deadlines.filter(\.isOverdue) }

    @Test func anInstanceThatIsTooOldIsOverdueAndThenLate() throws {
        try bench.registry.setMaximumAge(.seconds(60), for: Plain.self)
        var plain: Plain? = bench.make { Plain() }
        bench.pass(.seconds(59))
        #expect(bench.registry.verdicts().isEmpty)
        bench.pass(.seconds(2))
        #expect(bench.messages == ["overdue: Plain not deallocated: no Plain lives longer than 60 s"])
        let deadline = try #require(overdue.first)
        #expect(deadline.instance == plain?.lifetimeID && deadline.reason == "no instance lives longer than 60 s")
        #expect(deadline.due - deadline.setAt == .seconds(60))
        #expect(bench.registry.snapshot().types.first?.maximumAge == .seconds(60))
        bench.pass(.seconds(9))
        #expect(bench.messages.count == 1)
        plain = nil
        #expect(bench.messages.last == "late: Plain deallocated 10 s late: no instance lives longer than 60 s")
    }

    @Test func onlyTheTypeItselfIsMeant() throws {
        try bench.registry.setMaximumAge(.seconds(60), for: Plain.self)
        let screen = bench.make { Screen() }
        bench.pass(.seconds(100))
        #expect(bench.registry.verdicts().isEmpty)
        withExtendedLifetime(screen) {}
    }

    @Test func theMaximumAgeCanBeChangedAndRemoved() throws {
        try bench.registry.setMaximumAge(.seconds(60), for: Plain.self)
        let plain = bench.make { Plain() }
        bench.pass(.seconds(100))
        #expect(overdue.count == 1)
        try bench.registry.setMaximumAge(.seconds(200), for: Plain.self)
        bench.registry.check()
        #expect(overdue.isEmpty)
        bench.pass(.seconds(101))
        #expect(overdue.map(\.reason) == ["no instance lives longer than 200 s"])
        try bench.registry.setMaximumAge(nil, for: Plain.self)
        bench.pass(.seconds(1000))
        #expect(overdue.isEmpty)
        #expect(bench.registry.snapshot().types.first?.maximumAge == nil)
        withExtendedLifetime(plain) {}
    }

    @Test func instancesThatExistAlreadyAreMeantToo() throws {
        let plain = bench.make { Plain() }
        bench.pass(.seconds(100))
        try bench.registry.setMaximumAge(.seconds(60), for: Plain.self)
        bench.registry.check()
        #expect(overdue.map(\.instance) == [plain.lifetimeID])
    }

    @Test func furtherOldInstancesAreCountedAsDropped() throws {
        try bench.registry.setMaximumAge(.seconds(1), for: Plain.self)
        var objects = bench.make { (0..<10_003).map { _ in Plain() } }
        bench.pass(.seconds(2))
        let drop = bench.registry.summary().drops.first { $0.buffer == "oldInstances" }
        #expect(drop?.limit == 10_000 && drop?.dropped == 3)
        #expect(bench.registry.summary().overdue == 10_000)
        // Those that die make room for the rest.
        objects.removeAll { $0.lifetimeID.rawValue % 2 == 0 }
        bench.pass(.seconds(2))
        #expect(bench.registry.summary().overdue == objects.count)
    }

    @Test func anAgeOutOfRangeIsRefused() {
        #expect(throws: TracerError.self) { try bench.registry.setMaximumAge(.seconds(-1), for: Plain.self) }
    }
}
