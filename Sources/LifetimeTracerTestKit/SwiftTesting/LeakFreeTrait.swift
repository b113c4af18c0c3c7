#if canImport(Testing)
import LifetimeTracer
import Testing

/// A trait that runs each test in a registry of its own, and fails the test if objects or tokens created in it are left
/// at its end.
///
/// On a suite the trait applies to each test of the suite, and to each case of a parameterised test. If a test and its
/// suite both have the trait, the trait of the test applies to the objects that the test creates. See
/// ``Testing/Trait/leakFree(budgets:exempting:exemptEvents:because:settling:severity:heap:)``.
public struct LeakFreeTrait: TestTrait, SuiteTrait, TestScoping {
    /// The objects and tokens that may be left.
    public let rules: LeakRules

    /// Always true: the tests of a suite are checked one by one.
    public var isRecursive: Bool { true }

    /// Gives each case of a test a scope of its own; a suite and the test around the cases have none.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        testCase == nil ? nil : self
    }

    /// Runs a test in a registry of its own, and reports the objects and tokens that the test leaves.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let registry = LifetimeRegistry.scoped()
        let failure = FailureWatch()
        let heap = rules.heap ? await HeapLeakCheck.begin(rules, subject: Self.subject) : nil
        do {
            try await registry.withCurrent { try await failure.watch(test, testCase, function) }
        } catch {
            await look(at: registry, and: heap, of: test, after: .failed)
            throw error
        }
        await look(at: registry, and: heap, of: test, after: failure.hasFailed ? .failed : .complete)
    }

    private static let subject = "the test"

    private func look(
        at registry: LifetimeRegistry, and heap: HeapLeakCheck?, of test: Test, after ending: LeakCheck.Ending
    ) async {
        let check = LeakCheck(registry: registry, rules: rules, subject: Self.subject)
        var findings = await check.findings(after: ending)
        if let heap { findings += await heap.findings(after: ending, beside: findings) }
        for finding in findings { Reporter.record(finding, at: test.sourceLocation) }
    }
}

extension Trait where Self == LeakFreeTrait {
    /// Requires that every object and token created in a test is gone when the test ends.
    public static var leakFree: Self { Self(rules: LeakRules()) }

    /// Requires that every object and token created in a test is gone when the test ends; the severity decides whether
    /// a leak fails the test or is only reported.
    public static func leakFree(_ severity: LeakRules.Severity) -> Self {
        Self(rules: LeakRules(severity: severity))
    }

    /// Requires that every object and token created in a test is gone when the test ends, except those that the rules
    /// allow.
    public static func leakFree(_ rules: LeakRules) -> Self {
        Self(rules: rules)
    }

    /// Requires that every object and token created in a test is gone when the test ends, with exceptions.
    ///
    /// ```swift
    /// @Test(.leakFree(budgets: [ImageCache.self: 1], because: "the cache is the app's"))
    /// func opensAndClosesADocument() { … }
    /// ```
    ///
    /// - Parameters:
    ///   - budgets: How many instances of a type may be left.
    ///   - exemptions: Types that may have any number of instances left.
    ///   - exemptEvents: Events that may have any number of tokens in force.
    ///   - reason: A human-readable reason for the exceptions.
    ///   - settling: How long to wait for objects and tokens that are not gone yet; only a leak waits for the whole
    ///     time.
    ///   - severity: Whether a leak fails the test.
    ///   - heap: Whether leaks of any class count, traced or not; see ``LeakRules/heap``.
    public static func leakFree(
        budgets: LeakBudgets = [:], exempting exemptions: LeakExemptions = [], exemptEvents: Set<String> = [],
        because reason: String? = nil, settling: Duration = .seconds(1), severity: LeakRules.Severity = .failure,
        heap: Bool = false
    ) -> Self {
        Self(
            rules: LeakRules(
                budgets: budgets, exempting: exemptions, exemptEvents: exemptEvents, because: reason,
                settling: settling, severity: severity, heap: heap))
    }
}

/// Observes whether a test records a failure.
///
/// Sees the issues recorded in the test's task and its child tasks, as far as Swift Testing shows them to a trait. It
/// does not see issues recorded by a detached task or on a thread without a current test.
final class FailureWatch: Sendable {
    private let failed = Locked(false)

    var hasFailed: Bool { failed.withLock { $0 } }

    /// Runs a test and observes its issues, which are passed on unchanged.
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
