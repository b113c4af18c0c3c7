#if canImport(Testing)
import LifetimeTracer
import Testing

/// Has each test traced in a registry of its own, and fails it when anything of its making is left at its end.
///
/// Applied to a suite it is applied to each of its tests, and to each case of a test with arguments. A trait of a test counts instead
/// of that of its suite, for what is made in the test. See ``Testing/Trait/leakFree(budgets:exempting:exemptEvents:because:settling:severity:)``.
public struct LeakFreeTrait: TestTrait, SuiteTrait, TestScoping {
    /// What may be left.
    public let rules: LeakRules

    /// Always: a suite's tests are looked at one by one.
    public var isRecursive: Bool { true }

    /// Each case of a test has a scope of its own; the test around them and a suite have none.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        testCase == nil ? nil : self
    }

    /// Runs a test in a registry of its own, and looks at what it has left.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let registry = LifetimeRegistry.scoped()
        let failure = FailureWatch()
        do {
            try await registry.withCurrent { try await failure.watch(test, testCase, function) }
        } catch {
            await look(at: registry, of: test, after: .failed)
            throw error
        }
        await look(at: registry, of: test, after: failure.hasFailed ? .failed : .complete)
    }

    private func look(at registry: LifetimeRegistry, of test: Test, after ending: LeakCheck.Ending) async {
        let check = LeakCheck(registry: registry, rules: rules, subject: "the test")
        for finding in await check.findings(after: ending) { Reporter.record(finding, at: test.sourceLocation) }
    }
}

extension Trait where Self == LeakFreeTrait {
    /// Everything that a test makes must be gone when it ends.
    public static var leakFree: Self { Self(rules: LeakRules()) }

    /// Everything that a test makes must be gone when it ends; else the test fails, or it is only reported.
    public static func leakFree(_ severity: LeakRules.Severity) -> Self {
        Self(rules: LeakRules(severity: severity))
    }

    /// Everything that a test makes must be gone when it ends, but for what the rules allow.
    public static func leakFree(_ rules: LeakRules) -> Self {
        Self(rules: rules)
    }

    /// Everything that a test makes must be gone when it ends, but for some of it.
    ///
    /// ```swift
    /// @Test(.leakFree(budgets: [ImageCache.self: 1], because: "the cache is the app's"))
    /// func opensAndClosesADocument() { … }
    /// ```
    ///
    /// - Parameters:
    ///   - budgets: How many instances of types may be left.
    ///   - exemptions: Types of which any number may be left.
    ///   - exemptEvents: Events of which any number of tokens may be in force.
    ///   - reason: Why, in words for people.
    ///   - settling: How long to wait for what has not gone yet; only a leak waits for all of it.
    ///   - severity: Whether a leak fails the test.
    public static func leakFree(
        budgets: LeakBudgets = [:], exempting exemptions: LeakExemptions = [], exemptEvents: Set<String> = [],
        because reason: String? = nil, settling: Duration = .seconds(1), severity: LeakRules.Severity = .failure
    ) -> Self {
        Self(
            rules: LeakRules(
                budgets: budgets, exempting: exemptions, exemptEvents: exemptEvents, because: reason,
                settling: settling, severity: severity))
    }
}

/// Whether a test has recorded a failure.
///
/// Sees what is recorded in the test's task and its child tasks, as far as Swift Testing lets a trait see it: not what is recorded by a
/// detached task or on a thread that knows no test.
final class FailureWatch: Sendable {
    private let failed = Locked(false)

    var hasFailed: Bool { failed.withLock { $0 } }

    /// Runs a test and listens to its issues, which go on as they are.
    func watch(
        _ test: Test, _ testCase: Test.Case?, _ function: @Sendable () async throws -> Void
    ) async throws {
        let listener: IssueHandlingTrait = .compactMapIssues { [self] issue in
            #if compiler(>=6.3)
            let isFailure = issue.isFailure
            #else
            let isFailure = true
            #endif
            if isFailure { failed.withLock { $0 = true } }
            return issue
        }
        try await listener.provideScope(for: test, testCase: testCase, performing: function)
    }
}
#endif
