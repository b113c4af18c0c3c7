/// Leaks an object on purpose, sees it, frees it and sees that: the proof that the tracer is alive.
///
/// It runs in a registry of its own, on a clock of its own, through the same code and the same kind of thread as everything
/// else, in well under a millisecond or two. A detector that has died in silence would be worse than none.
public struct SelfTest: Sendable {
    /// One thing that must hold.
    public struct Check: Sendable {
        /// What must hold, in words.
        public let name: String
        /// Whether it does.
        public let passed: Bool
    }

    /// What was looked at, in order.
    public let checks: [Check]
    /// When it ran.
    public let ranAt: WallTime
    /// How long it took.
    public let duration: Duration

    /// Whether all of it holds.
    public var passed: Bool { checks.allSatisfy(\.passed) }

    /// Runs the self-test.
    ///
    /// It waits for the registry's thread, so it must not be called in a verdict observer.
    ///
    /// - Parameter makeProbe: Makes the object that is leaked; another one than the default shows that the test can fail.
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
        registry.observeVerdicts(.closure { verdict in kinds.withLock { $0.append(verdict.kind) } })

        var leaked: (any Traced)? = registry.withCurrent { makeProbe() }
        var checks = [Check(name: "a birth is counted", passed: registry.summary().live == 1)]

        if let leaked {
            _ = try? registry.expectDeallocation(of: leaked, within: .seconds(1), because: "self-test")
        }
        clock.advance(by: .seconds(2))
        registry.check()
        checks.append(Check(name: "a leak becomes overdue", passed: registry.summary().overdue == 1))
        checks.append(Check(name: "the verdict is delivered", passed: kinds.withLock { $0 } == [.overdue]))

        leaked = nil
        registry.check()
        checks.append(Check(name: "a death is counted", passed: registry.summary().live == 0))
        checks.append(Check(name: "what goes after its deadline is late", passed: registry.summary().late == 1))
        checks.append(Check(name: "late is delivered", passed: kinds.withLock { $0 } == [.overdue, .late]))
        return checks
    }
}
