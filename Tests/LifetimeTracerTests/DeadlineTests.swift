import LifetimeTracer
import Testing

@Suite struct DeadlineTests {
    @Test func instanceFreedInTimeGetsNoVerdict() throws {
        let bench = Bench()
        var plain: Plain? = bench.make { Plain() }
        try bench.registry.expectDeallocation(of: #require(plain), within: .seconds(2), because: "closed")
        bench.pass(.seconds(2) - .nanoseconds(1))
        plain = nil
        bench.pass(.seconds(10))
        #expect(bench.messages.isEmpty)
        #expect(bench.registry.snapshot().deadlines.isEmpty)
    }

    @Test func instanceFreedAfterItsDeadlineIsOverdueThenLate() throws {
        let bench = Bench()
        var plain: Plain? = bench.make { Plain(label: "the one") }
        try bench.registry.expectDeallocation(of: #require(plain), within: .seconds(2), because: "closed")
        bench.pass(.seconds(1))
        #expect(bench.registry.summary().overdue == 0)
        bench.pass(.seconds(1))
        #expect(bench.registry.summary().overdue == 1)
        var snapshot = bench.registry.snapshot()
        #expect(snapshot.instances[0].isOverdue && snapshot.deadlines[0].isOverdue)
        #expect(snapshot.deadlines[0].reason == "closed")
        #expect(snapshot.types[0].overdue == 1)
        bench.pass(.milliseconds(700))
        plain = nil
        bench.registry.check()
        snapshot = bench.registry.snapshot()
        #expect(bench.registry.summary().overdue == 0 && bench.registry.summary().late == 1)
        #expect(snapshot.late[0].label == "the one" && snapshot.types[0].late == 1)
        #expect(snapshot.late[0].goneAt - snapshot.late[0].deadline.due == .milliseconds(700))
        #expect(
            bench.messages == [
                "overdue: Plain not deallocated: closed", "late: Plain deallocated 700 ms late: closed",
            ])
        let fingerprints = bench.registry.verdicts().map(\.fingerprint)
        #expect(fingerprints[0] == fingerprints[1])
    }

    @Test func instanceFreedLateBeforeTheNextCheckIsLate() throws {
        let bench = Bench()
        var plain: Plain? = bench.make { Plain() }
        try bench.registry.expectDeallocation(of: #require(plain), within: .seconds(2), because: "closed")
        // Otherwise the round that the expectation has requested could come when the clock has advanced.
        bench.registry.check()
        bench.clock.advance(by: .seconds(5))
        plain = nil
        bench.registry.check()
        #expect(bench.messages == ["late: Plain deallocated 3 s late: closed"])
    }

    @Test func overdueInstanceFreedAtTheSameInstantIsLate() throws {
        let bench = Bench()
        let line = #line + 1
        var plain: Plain? = bench.make { Plain() }
        try bench.registry.expectDeallocation(of: #require(plain), within: .seconds(1), because: "closed")
        bench.pass(.seconds(1))
        plain = nil
        bench.registry.check()
        #expect(bench.registry.verdicts().map(\.kind) == [.overdue, .late])
        #expect(bench.registry.snapshot().late[0].site?.line == line)
    }

    @Test func emptyReasonIsReportedAsNoReasonGiven() throws {
        let bench = Bench()
        let plain = bench.make { Plain() }
        try bench.registry.expectDeallocation(of: plain, within: .zero, because: "")
        bench.registry.check()
        #expect(bench.messages == ["overdue: Plain not deallocated: no reason given"])
        withExtendedLifetime(plain) {}
    }

    @Test func invalidConfigurationTrapsAndNamesTheSetting() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Bench { $0.lateLimit = -1 }
        }
        #if DEBUG
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("RegistryConfiguration.lateLimit is -1; use 1 or more"))
        #endif
        await #expect(processExitsWith: .failure) { _ = Bench { $0.leavingDelay = .seconds(-5) } }
    }

    @Test func aCancelledDeadlineIsForgotten() throws {
        let bench = Bench()
        let plain = bench.make { Plain() }
        let early = try bench.registry.expectDeallocation(of: plain, within: .seconds(1), because: "a")
        let late = try bench.registry.expectDeallocation(of: plain, within: .seconds(2), because: "b")
        #expect(early.remove())
        #expect(!early.remove())
        bench.pass(.seconds(3))
        #expect(bench.messages == ["overdue: Plain not deallocated: b"])
        #expect(late.remove())
        #expect(bench.registry.summary().overdue == 0)
    }

    @Test func oneInstanceWithTwoDeadlinesIsOneOverdueInstance() throws {
        let bench = Bench()
        let plain = bench.make { Plain() }
        let first = try bench.registry.expectDeallocation(of: plain, within: .seconds(1), because: "a")
        let second = try bench.registry.expectDeallocation(of: plain, within: .seconds(2), because: "b")
        bench.pass(.seconds(3))
        #expect(bench.messages.count == 2)
        #expect(bench.registry.summary().overdue == 1)
        first.remove()
        #expect(bench.registry.summary().overdue == 1)
        second.remove()
        #expect(bench.registry.summary().overdue == 0)
    }

    @Test(arguments: [Duration.seconds(-1), .nanoseconds(-1), .seconds(366 * 24 * 3600), .seconds(Int64.max)])
    func invalidDelayIsRefusedWithItsValue(delay: Duration) throws {
        let bench = Bench()
        let plain = bench.make { Plain() }
        let error = #expect(throws: TracerError.self) {
            try bench.registry.expectDeallocation(of: plain, within: delay, because: "closed")
        }
        #expect(error?.code == .invalidDelay)
        #expect(try #require(error).description.contains("\(delay)"))
        #expect(bench.registry.snapshot().deadlines.isEmpty)
    }

    @Test func deadlineForDeadOrUnknownInstanceIsRefused() throws {
        let bench = Bench()
        let dead = bench.make { Plain().lifetimeID }
        bench.clock.advance(by: .seconds(3))
        let first = #expect(throws: TracerError.self) {
            try bench.registry.expectDeallocation(ofInstance: dead, within: .seconds(1), because: "x")
        }
        #expect(first?.code == .instanceDied)
        #expect(
            first?.message
                == "Instance 1 (LifetimeTracerTests.Plain) cannot have a deadline: the instance died 3 s ago.")
        let second = #expect(throws: TracerError.self) {
            try bench.registry.expectDeallocation(
                ofInstance: InstanceID(rawValue: 99), within: .seconds(1), because: "x")
        }
        #expect(second?.code == .unknownInstance)
    }

    @Test func fullDeadlineTableRefusesNewDeadlines() throws {
        let bench = Bench { $0.deadlineLimit = 2 }
        let plain = bench.make { Plain() }
        for _ in 0..<2 { try bench.registry.expectDeallocation(of: plain, within: .seconds(1), because: "x") }
        let error = #expect(throws: TracerError.self) {
            try bench.registry.expectDeallocation(of: plain, within: .seconds(1), because: "x")
        }
        #expect(error?.code == .deadlineTableFull)
        #expect(bench.registry.summary().drops.first { $0.buffer == "deadlines" }?.dropped == 1)
    }

    @Test func removedDeadlineNeverRemovesALaterOne() throws {
        let bench = Bench()
        let plain = bench.make { Plain() }
        let first = try bench.registry.expectDeallocation(of: plain, within: .seconds(1), because: "first")
        #expect(first.remove())
        let second = try bench.registry.expectDeallocation(of: plain, within: .seconds(1), because: "second")
        #expect(!first.remove())
        bench.pass(.seconds(2))
        #expect(bench.registry.snapshot().deadlines.map(\.reason) == ["second"])
        #expect(second.remove() && bench.registry.summary().overdue == 0)
    }

    @Test func deadlinesOfManyDeathsLeaveTheOrderOfTheOthers() throws {
        let bench = Bench()
        // Falls due in an order that is not that of the births.
        func delay(_ number: Int) -> Duration { .seconds(1 + number * 7 % 1_009) }
        var objects = try (0..<1_000).map { number -> Plain? in
            let plain = bench.make { Plain(label: "\(number)") }
            try bench.registry.expectDeallocation(of: plain, within: delay(number), because: "\(number)")
            return plain
        }
        for number in objects.indices where number % 5 != 0 { objects[number] = nil }
        bench.pass(.seconds(2_000))
        let expected = stride(from: 0, to: 1_000, by: 5).sorted { delay($0) < delay($1) }
        #expect(bench.registry.verdicts().map(\.reason) == expected.map(String.init))
        withExtendedLifetime(objects) {}
    }

    @Test func deadlineBelongsToTheRegistryOfItsInstance() throws {
        let (one, other) = (Bench(), Bench())
        let plain = one.make { Plain() }
        try other.registry.expectDeallocation(of: plain, within: .seconds(1), because: "x")
        one.pass(.seconds(2))
        #expect(one.messages.count == 1)
        #expect(other.registry.snapshot().deadlines.isEmpty)
    }

    @Test func manyDeadlinesFallDueInOrder() throws {
        let bench = Bench()
        let objects = (0..<500).map { _ in bench.make { Plain() } }
        var deadlines: [Deadline] = []
        for (number, object) in objects.enumerated() {
            let delay = Duration.milliseconds((number * 7919) % 500 + 1)
            try deadlines.append(bench.registry.expectDeallocation(of: object, within: delay, because: "\(number)"))
        }
        // The cancelled deadlines leave holes in the heap, which is then rebuilt.
        for (number, deadline) in deadlines.enumerated() where number % 3 != 0 { deadline.remove() }
        for _ in 0..<500 { bench.pass(.milliseconds(1)) }
        let order = bench.registry.verdicts().compactMap { Int($0.reason) }
        let expected = (0..<500).filter { $0 % 3 == 0 }.sorted { ($0 * 7919) % 500 < ($1 * 7919) % 500 }
        #expect(order == expected)
        // An optimised build would release the objects after their last use.
        withExtendedLifetime(objects) {}
    }

    @Test func systemClockTriggersTheVerdictWithoutACheck() async throws {
        let registry = LifetimeRegistry()
        let plain = registry.withCurrent { Plain() }
        let (verdicts, continuation) = AsyncStream.makeStream(of: Verdict.self)
        registry.observeVerdicts(.closure { continuation.yield($0) }).keep()
        try registry.expectDeallocation(of: plain, within: .milliseconds(20), because: "closed")
        let verdict = try #require(await verdicts.first { _ in true })
        #expect(verdict.kind == .overdue && verdict.instance == plain.lifetimeID)
    }
}
