import LifetimeTracer
import Testing

/// The state of a registry in a few lines.
@Suite struct SummaryTextTests {
    private let bench = Bench()

    private func lines(_ tracing: ClassTracing? = nil) -> [String] {
        SummaryText(of: bench.registry, tracing: tracing).lines
    }

    @Test func emptyRegistryHasNothingToName() {
        #expect(
            lines() == [
                "0 instances of 0 types live; 0 born, 0 died, at most 0 live at once.", "Verdicts: none.",
                "Growing: nothing.",
            ])
    }

    @Test func typesAreListedByTheirLiveInstances() {
        let objects = bench.make { (0..<1200).map { _ in Plain() } }
        var screens = bench.make { [Screen(), Screen()] }
        screens.removeLast()
        #expect(
            lines() == [
                "1,201 instances of 2 types live; 1,202 born, 1 died, at most 1,202 live at once.",
                "  1,200 LifetimeTracerTests.Plain (1,200 born)", "      1 LifetimeTracerTests.Screen (2 born)",
                "Verdicts: none.", "Growing: nothing.",
            ])
        withExtendedLifetime((objects, screens)) {}
    }

    /// The total and the rows are those of one instant.
    @Test func rowsAddUpWhileAnotherThreadCreatesObjects() {
        let isOver = Locked(false)
        let registry = bench.registry
        let first = bench.make { Plain() }
        let churn = OSThread {
            registry.withCurrent {
                var objects: [Plain] = []
                while !isOver.withLock({ $0 }) {
                    objects.append(Plain())
                    if objects.count > 50 { objects = [] }
                }
            }
        }
        for _ in 0..<500 {
            let numbers = lines().prefix(2).map { line in
                line.filter { $0 != "," }.split { !$0.isNumber }.compactMap { Int($0) }
            }
            // The live instances and the births: of all types, and of the only one.
            guard numbers[0][0] == numbers[1][0], numbers[0][2] == numbers[1][1] else {
                Issue.record("\(numbers)")
                break
            }
        }
        isOver.withLock { $0 = true }
        churn.join()
        withExtendedLifetime(first) {}
    }

    @Test func typesBeyondTheLimitAreCounted() {
        class Generic<Value>: TracedObject {}
        let makers: [() -> AnyObject] = [
            { Generic<Int>() }, { Generic<Int8>() }, { Generic<Int16>() }, { Generic<Int32>() }, { Generic<Int64>() },
            { Generic<UInt>() }, { Generic<UInt8>() }, { Generic<UInt16>() }, { Generic<UInt32>() },
            { Generic<UInt64>() }, { Generic<Float>() }, { Generic<Double>() },
        ]
        let objects = bench.make { makers.flatMap { [$0(), $0()] } }
        let text = lines()
        #expect(text.first == "24 instances of 12 types live; 24 born, 0 died, at most 24 live at once.")
        #expect(text.count == 1 + SummaryText.typeLimit + 3)
        #expect(text[1 + SummaryText.typeLimit] == "  and 4 instances of 2 more types")
        withExtendedLifetime(objects) {}
    }

    @Test func verdictsAreCountedAndTheLastOnesNamedOnce() throws {
        try bench.registry.setBudget(1, for: Screen.self)
        let screens = bench.make { (0..<3).map { _ in Screen() } }
        for screen in screens {
            try bench.registry.expectDeallocation(of: screen, within: .seconds(1), because: "closed")
        }
        bench.pass(.seconds(2))
        let text = lines()
        #expect(text.contains("Verdicts: 3 overdue, 1 over budget."), "\(text)")
        #expect(text.filter { $0.contains("closed") }.count == 1, "\(text)")
        #expect(text.contains { $0.hasPrefix("  ") && $0.contains("budget") }, "\(text)")
        withExtendedLifetime(screens) {}
    }

    @Test func growthIsNamed() {
        bench.registry.startHistory()
        let objects = (0..<14).flatMap { _ in
            let objects = bench.make { (0..<40).map { _ in Plain() } }
            bench.pass(.seconds(60))
            return objects
        }
        let text = lines()
        #expect(text.suffix(2).first == "Growing: 1.", "\(text)")
        #expect(text.last?.hasPrefix("  Plain grows: instances from 14 of the last 14 minutes") == true, "\(text)")
        withExtendedLifetime(objects) {}
    }

    @Test func untracedClassesAreExplained() {
        let text = lines(ClassTracing(obstacle: "another library has replaced malloc"))
        #expect(text.contains("The program's classes were not traced: another library has replaced malloc."))
        #expect(!lines(ClassTracing()).contains { $0.contains("not traced") || $0.contains("Not listed") })
    }

    @Test func whatIsNotListedIsCounted() {
        var tracing = ClassTracing()
        tracing.stackInstances = 1204
        #expect(lines(tracing).contains("Not listed: 1,204 instances on the stack."))
        (tracing.unknownDeaths, tracing.refusedImages) = (1, 2)
        let all =
            "Not listed: 1,204 instances on the stack; 1 death of an instance whose birth was not recorded; "
            + "2 shared objects whose calls could not be replaced."
        #expect(lines(tracing).contains(all), "\(lines(tracing))")
    }
}
