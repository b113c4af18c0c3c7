/// Verifies that the tracer works: leaks an object on purpose, detects it, frees it and detects that.
///
/// The test runs in a registry and on a clock of its own, and takes under two milliseconds. It uses the same code and
/// the same kind of thread as normal tracing. A detector that had silently failed would be worse than none.
package struct SelfTest: Sendable {
    /// One condition of the test.
    package struct Check: Sendable {
        /// The condition in words.
        package let name: String
        /// Whether the condition holds.
        package let passed: Bool
    }

    /// The conditions in the order of their checks.
    package let checks: [Check]
    /// When the test ran.
    package let ranAt: WallTime
    /// How long the test took.
    package let duration: Duration

    /// Whether all conditions hold.
    package var passed: Bool { checks.allSatisfy(\.passed) }

    /// Runs the self-test.
    ///
    /// Waits for the registry's thread, so it must not be called in a verdict observer.
    ///
    /// - Parameter makeProbe: Creates the object to leak; an object that breaks the conditions shows that the test can
    ///   fail.
    package static func run(_ makeProbe: () -> any Traced = { Probe() }) -> SelfTest {
        let clock = SystemClock()
        let start = clock.now()
        let checks = check(makeProbe)
        return SelfTest(checks: checks, ranAt: clock.wallNow(), duration: clock.now() - start)
    }

    private final class Probe: TracedObject {}

    private static func check(_ makeProbe: () -> any Traced) -> [Check] {
        let clock = ManualClock()
        let registry = LifetimeRegistry(clock: clock)
        let kinds = Locked<[Verdict.Kind]>([])
        registry.observeVerdicts(.closure { verdict in kinds.withLock { $0.append(verdict.kind) } }).keep()

        var leaked: (any Traced)? = registry.withCurrent { makeProbe() }
        var checks = [Check(name: "a birth is counted", passed: registry.summary().live == 1)]

        if let leaked {
            _ = try? registry.expectDeallocation(of: leaked, within: .seconds(1), because: "self-test")
        }
        clock.advance(by: .seconds(2))
        registry.check()
        checks.append(Check(name: "a leak becomes overdue", passed: registry.summary().overdue == 1))
        checks.append(Check(name: "the overdue verdict is delivered", passed: kinds.withLock { $0 } == [.overdue]))

        leaked = nil
        registry.check()
        checks.append(Check(name: "a death is counted", passed: registry.summary().live == 0))
        checks.append(
            Check(name: "an instance that dies after its deadline is late", passed: registry.summary().late == 1))
        checks.append(Check(name: "the late verdict is delivered", passed: kinds.withLock { $0 } == [.overdue, .late]))
        return checks
    }
}
