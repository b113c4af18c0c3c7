import Foundation
import LifetimeTracer
import LifetimeTracerTestKit
import Testing

/// What the kit costs; the bounds are wide enough for a debug build on a busy machine, the figures are printed on request.
@Suite(.serialized) struct CostTests {
    private let clock = ContinuousClock()

    @Test func aTestThatPassesPaysLittle() async throws {
        let test = try #require(Test.current)
        let testCase = Test.Case.current
        let body: @Sendable () async throws -> Void = { withExtendedLifetime(Screen()) {} }
        var (bare, scoped): ([Duration], [Duration]) = ([], [])
        for _ in 0..<1000 {
            let start = clock.now
            try await body()
            let middle = clock.now
            try await LeakFreeTrait.leakFree.provideScope(for: test, testCase: testCase, performing: body)
            bare.append(middle - start)
            scoped.append(clock.now - middle)
        }
        let added = scoped.median - bare.median
        let most = scoped.sorted()[990] - bare.median
        show("a passing leak-free test takes \(added) more; \(most) at the 99th percentile")
        #expect(added < .milliseconds(2))
    }

    @Test func theWaitEndsSoonAfterTheDeath() async throws {
        final class Dying: TracedObject, @unchecked Sendable, LockedState {
            // Safe: locked.
            let diedAt: Locked<ContinuousClock.Instant?>
            init(_ diedAt: Locked<ContinuousClock.Instant?>) { self.diedAt = diedAt }
            deinit { diedAt.withLock { $0 = .now } }
        }
        var waits: [Duration] = []
        for _ in 0..<200 {
            let diedAt = Locked<ContinuousClock.Instant?>(nil)
            let holder = Locked<Dying?>(Dying(diedAt))
            let lifetime = try #require(holder.withLock { $0?.lifetime })
            let release = Task.detached {
                try await Task.sleep(for: .milliseconds(1))
                let last = holder.withLock { $0.take() }
                withExtendedLifetime(last) {}
            }
            await expectReleased(lifetime, within: .seconds(60))
            waits.append(clock.now - (try #require(diedAt.withLock { $0 })))
            try await release.value
        }
        show("expectReleased returns \(waits.median) after the deinit; \(waits.sorted()[197]) at the 99th percentile")
        #expect(waits.median < .milliseconds(20))
    }

    private func show(_ figure: String) {
        if ProcessInfo.processInfo.environment["SHOW_FIGURES"] != nil { print(figure) }
    }
}

extension [Duration] {
    fileprivate var median: Duration { sorted()[count / 2] }
}
