import LifetimeTracer
import LifetimeTracerTestKit
import Reporting
import Synchronization
import Testing

/// The cost of the kit for a passing test.
///
/// A trait can only be measured in a test, so these measurements are tests. `Scripts/bench` runs them and reads the
/// figures from their output.
@Suite(.serialized) struct TestKitMeasures {
    private let clock = ContinuousClock()

    @Test func aTestThatPasses() async throws {
        let test = try #require(Test.current)
        let testCase = Test.Case.current
        let body: @Sendable () async throws -> Void = { withExtendedLifetime(Measured()) {} }
        var added: [Double] = []
        for _ in 0..<1000 {
            let start = clock.now
            try await body()
            let middle = clock.now
            try await LeakFreeTrait.leakFree.provideScope(for: test, testCase: testCase, performing: body)
            added.append(((clock.now - middle) - (middle - start)) / .microseconds(1))
        }
        report(Figure("leak-free-test", "added", unit: "µs", Spread(of: added)))
    }

    @Test func theWaitForARelease() async throws {
        var waits: [Double] = []
        for _ in 0..<200 {
            let death = Shelf<ContinuousClock.Instant>(nil)
            let holder = Shelf(Dying(death))
            let lifetime = try #require(holder.content?.lifetime)
            let release = Task.detached {
                // Begins the wait before the release.
                try await Task.sleep(for: .milliseconds(1))
                withExtendedLifetime(holder.replace(with: nil)) {}
            }
            await expectReleased(lifetime, within: .seconds(600))
            waits.append((clock.now - (try #require(death.content))) / .microseconds(1))
            try await release.value
        }
        report(Figure("release-wait", "after-deinit", unit: "µs", Spread(of: waits)))
    }

    private func report(_ figure: Figure) {
        print("figure: \(figure.line)")
    }
}

// `@unchecked Sendable` is safe because the class has no state.
private final class Measured: TracedObject, @unchecked Sendable {}

/// Records the time of its death.
private final class Dying: TracedObject, @unchecked Sendable {
    // `@unchecked Sendable` is safe because `death` has its own lock.
    private let death: Shelf<ContinuousClock.Instant>

    init(_ death: Shelf<ContinuousClock.Instant>) {
        self.death = death
    }

    deinit {
        death.replace(with: .now)
    }
}

/// A place for one value that threads share.
private final class Shelf<Value: Sendable>: Sendable {
    private let state: Mutex<Value?>

    init(_ value: Value?) {
        state = Mutex(value)
    }

    var content: Value? { state.withLock { $0 } }

    /// Stores a value and returns the previous one.
    @discardableResult
    func replace(with value: Value?) -> Value? {
        state.withLock { state in
            let before = state
            state = value
            return before
        }
    }
}
