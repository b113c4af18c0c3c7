import LifetimeTracer
import Testing

@Suite struct MarkTests {
    @Test func diffCountsBirthsDeathsAndSurvivorsByType() throws {
        let bench = Bench()
        let old = bench.make { Plain() }
        var doomed: Plain? = bench.make { Plain() }
        try bench.registry.setMark("before")
        doomed = nil
        let kept = bench.make { Screen() }
        bench.make { _ = Screen() }
        bench.clock.advance(by: .seconds(1))
        try bench.registry.setMark("after")
        let later = bench.make { Screen() }

        let diff = try bench.registry.diff(from: "before", to: "after")
        #expect(diff.types.map(\.type.name) == ["Screen", "Plain"])
        #expect(diff.types[0].born == 2 && diff.types[0].died == 1 && diff.types[0].kept == 1)
        #expect(diff.types[1].born == 0 && diff.types[1].died == 1 && diff.types[1].kept == 0)
        #expect(diff.survivors.map(\.id) == [kept.lifetimeID])
        #expect(diff.from.name == "before" && diff.to.name == "after")

        let toNow = try bench.registry.diff(from: "before")
        #expect(toNow.survivors.map(\.id) == [kept.lifetimeID, later.lifetimeID])
        #expect(toNow.to.name == "now")
        let turned = try bench.registry.diff(from: "after", to: "before")
        #expect(turned.from.name == "before" && turned.to.name == "after")
        withExtendedLifetime((old, doomed)) {}
    }

    @Test func marksAtTheSameInstantAreOrderedByTheirCounts() throws {
        let bench = Bench()
        try bench.registry.setMark("a")
        let kept = bench.make { Plain() }
        try bench.registry.setMark("b")
        for (from, to) in [("a", "b"), ("b", "a")] {
            let diff = try bench.registry.diff(from: from, to: to)
            #expect(diff.types.map(\.born) == [1] && diff.survivors.count == 1)
        }
        withExtendedLifetime(kept) {}
    }

    @Test func markKeepsTheCountsOfItsInstant() throws {
        let bench = Bench()
        let plain = bench.make { Plain() }
        try bench.registry.setMark("a")
        bench.make { _ = Plain() }
        let mark = try bench.registry.mark(named: "a")
        #expect(mark.live == 1 && mark.born == 1 && mark.died == 0)
        #expect(bench.registry.allMarks().map(\.name) == ["a"])
        withExtendedLifetime(plain) {}
    }

    @Test func duplicateAndUnknownMarksAreRefused() throws {
        let bench = Bench()
        try bench.registry.setMark("a")
        let duplicate = #expect(throws: TracerError.self) { try bench.registry.setMark("a") }
        #expect(duplicate?.code == .duplicateMark)
        #expect(duplicate?.message == "A mark named \"a\" already exists.")
        let unknown = #expect(throws: TracerError.self) { try bench.registry.diff(from: "b") }
        #expect(unknown?.code == .unknownMark)
        #expect(unknown?.hint == "Existing marks: a.")
        try bench.registry.removeMark("a")
        #expect(throws: TracerError.self) { try bench.registry.removeMark("a") }
        try bench.registry.setMark("a")
    }

    @Test(arguments: ["", "now", ".", "..", String(repeating: "x", count: 101), "a\nb", "a\u{0}b"])
    func invalidMarkNamesAreRefused(name: String) {
        let error = #expect(throws: TracerError.self) { try Bench().registry.setMark(name) }
        #expect(error?.code == .invalidMarkName)
    }

    @Test func fullMarkTableRefusesNewMarks() throws {
        let bench = Bench { $0.markLimit = 2 }
        try bench.registry.setMark("a")
        try bench.registry.setMark("b")
        let error = #expect(throws: TracerError.self) { try bench.registry.setMark("c") }
        #expect(error?.code == .markTableFull)
        try bench.registry.removeMark("a")
        try bench.registry.setMark("c")
    }
}

@Suite struct HistoryTests {
    @Test func historyKeepsOneSamplePerSecondUpToItsLimit() {
        let bench = Bench { $0.historyLimit = 3 }
        bench.registry.startHistory()
        bench.registry.check()
        var objects: [Plain] = []
        for _ in 0..<4 {
            objects.append(bench.make { Plain() })
            bench.pass(.milliseconds(500))
            bench.pass(.milliseconds(500))
        }
        let samples = bench.registry.historySamples()
        #expect(samples.map(\.live) == [2, 3, 4])
        #expect(samples[2].top.values.map { $0 } == [4])
        #expect(bench.registry.historySamples(since: samples[1].at).count == 2)
        #expect(bench.registry.summary().drops.first { $0.buffer == "history" }?.dropped == 2)
    }

    @Test func samplesShareMemoryOfUnchangedParts() {
        let bench = Bench()
        bench.registry.startHistory()
        bench.registry.check()
        let first = [bench.make { Plain() }, bench.make { Plain() }]
        for _ in 0..<2 { bench.pass(.seconds(1)) }
        let second = bench.make { Plain() }
        bench.pass(.seconds(1))
        let samples = bench.registry.historySamples().suffix(3)
        #expect(samples.map(\.topCounts) == [[2], [2], [3]])
        let types = samples.map { $0.topTypes.withUnsafeBufferPointer(\.baseAddress) }
        let counts = samples.map { $0.topCounts.withUnsafeBufferPointer(\.baseAddress) }
        #expect(Set(types).count == 1)
        #expect(counts[0] == counts[1] && counts[1] != counts[2])
        withExtendedLifetime((first, second)) {}
    }

    @Test func sampleDelaysDoNotAccumulate() throws {
        let bench = Bench()
        bench.registry.startHistory()
        bench.registry.check()
        let plain = bench.make { Plain() }
        for _ in 0..<34 {
            try bench.registry.expectDeallocation(of: plain, within: .milliseconds(100), because: "x")
            bench.pass(.milliseconds(300))
        }
        let times: [UInt64] = bench.registry.historySamples().map { $0.at.nanoseconds / 1_000_000 }
        // Each sample is taken at the first check after it was due, and the delays do not accumulate.
        let expected: [UInt64] = [0, 1200, 2100, 3000, 4200, 5100, 6000, 7200, 8100, 9000, 10200]
        #expect(times == expected)
        withExtendedLifetime(plain) {}
    }
}

@Suite struct SelfTestTests {
    @Test func selfTestPasses() {
        let result = SelfTest.run()
        #expect(result.passed)
        #expect(result.checks.count == 6)
    }

    @Test func selfTestFailsIfTheObjectIsNotTraced() {
        let elsewhere = Bench()
        let result = SelfTest.run { elsewhere.make { Plain() } }
        #expect(!result.passed)
        #expect(result.checks.first?.passed == false)
    }

    @Test func selfTestFailsIfTheObjectIsNeverFreed() {
        let kept = Locked<[Kept]>([])
        let result = SelfTest.run {
            let object = Kept()
            kept.withLock { $0.append(object) }
            return object
        }
        #expect(
            result.checks.filter { !$0.passed }.map(\.name) == [
                "a death is counted", "an instance that dies after its deadline is late",
                "the late verdict is delivered",
            ])
    }

    /// `@unchecked Sendable` is safe because the class has no state.
    private final class Kept: TracedObject, @unchecked Sendable, LockedState {}
}
