#if canImport(XCTest)
import LifetimeTracer
public import XCTest

/// A base class for tests that must leave nothing behind: every object and token created between `setUp` and `tearDown`
/// must be gone at the end.
///
/// ```swift
/// final class LoginTests: LeakFreeTestCase {
///     func testEndsItsFlow() { … }
/// }
/// ```
/// Each test runs in a registry of its own. XCTest keeps the instance of each test and therefore the values of its
/// properties: set them to `nil` in `tearDown`. XCTest does not reveal the source location of a test. So a failure is
/// reported at the creation site of the first object that is left. If only tokens are left, it is reported at the
/// registration site of the first one.
open class LeakFreeTestCase: XCTestCase {
    /// The objects and tokens that may be left; by default none.
    open var leakRules: LeakRules { LeakRules() }

    /// Runs the test in a registry of its own, and reports the objects and tokens that the test leaves.
    open override func invokeTest() {
        let registry = LifetimeRegistry.scoped()
        registry.withCurrent { super.invokeTest() }
        let check = LeakCheck(registry: registry, rules: leakRules, subject: "the test")
        for finding in check.findingsBlocking(after: ending) { report(finding) }
    }

    private var ending: LeakCheck.Ending {
        guard let testRun else { return .complete }
        if testRun.totalFailureCount > 0 { return .failed }
        return testRun.hasBeenSkipped ? .skipped : .complete
    }

    private func report(_ finding: Finding) {
        let site = finding.instances.lazy.compactMap(\.site).first ?? finding.tokens.lazy.compactMap(\.site).first
        Reporter.fail(finding, file: site?.file ?? "<unknown>", line: UInt(site?.line ?? 0))
    }
}
#endif
