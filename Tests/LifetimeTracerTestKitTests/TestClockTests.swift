import KitTesting
import LifetimeTracer
import LifetimeTracerTestKit
import Testing

@Suite(.repeatedOnRequest) struct TestClockTests {
    @Test func sleepersWakeInTheirOrder() async throws {
        let clock = TestClock()
        let woken = Locked<[Int]>([])
        let tasks = [3, 1].map { seconds in
            Task {
                try await clock.sleep(for: .seconds(seconds))
                woken.withLock { $0.append(seconds) }
            }
        }
        #expect(await clock.sleepers(2))
        clock.advance(by: .seconds(2))
        try await tasks[1].value
        #expect(woken.withLock { $0 } == [1])
        #expect(clock.sleeping == 1)
        clock.advance(by: .seconds(1))
        try await tasks[0].value
        #expect(woken.withLock { $0 } == [1, 3])
        #expect(clock.now.elapsed == .seconds(3))
    }

    @Test func aSleepThatIsDueDoesNotWait() async throws {
        let clock = TestClock()
        try await clock.sleep(for: .zero)
        #expect(clock.sleeping == 0)
    }

    @Test func aSleepCanBeCancelled() async {
        let clock = TestClock()
        let task = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.sleepers(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleeping == 0)
    }

    @Test func waitForSleepersTimesOut() async {
        #expect(await TestClock().sleepers(1, within: .zero) == false)
    }

    @Test func registryOnATestClockReachesVerdictsOnCheck() throws {
        let clock = TestClock()
        let registry = LifetimeRegistry(clock: clock.tracer)
        let screen = registry.withCurrent { Screen() }
        try registry.expectDeallocation(of: screen, within: .seconds(2), because: "dismissed")
        registry.check()
        #expect(registry.verdicts().isEmpty)
        clock.advance(by: .seconds(2))
        registry.check()
        #expect(registry.verdicts().map(\.kind) == [.overdue])
        withExtendedLifetime(screen) {}
    }
}
