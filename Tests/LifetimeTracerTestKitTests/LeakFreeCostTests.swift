import LifetimeTracer
import LifetimeTracerTestKit
import Testing

/// What the trait costs a test that passes; a bound wide enough for a debug build on a busy machine.
@Suite struct LeakFreeCostTests {
    @Test func aTestThatPassesPaysLittle() async throws {
        let test = try #require(Test.current)
        let testCase = Test.Case.current
        let trait = LeakFreeTrait.leakFree
        let clock = ContinuousClock()
        var best = Duration.seconds(1)
        for _ in 0..<200 {
            let start = clock.now
            try await trait.provideScope(for: test, testCase: testCase) { withExtendedLifetime(Screen()) {} }
            best = min(best, clock.now - start)
        }
        print("cost of a leak-free scope: \(best)")
        #expect(best < .milliseconds(1))
    }
}
