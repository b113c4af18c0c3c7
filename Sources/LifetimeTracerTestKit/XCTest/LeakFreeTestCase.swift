#if canImport(XCTest)
import LifetimeTracer
public import XCTest

/// A base class for tests of which nothing may be left: all that is made in one, from its `setUp` to its `tearDown`, must be gone
/// when it ends.
///
/// ```swift
/// final class LoginTests: LeakFreeTestCase {
///     func testEndsItsFlow() { … }
/// }
/// ```
/// Each test is traced in a registry of its own. XCTest keeps the instance of each test, and so what is in its properties: set
/// those to `nil` in `tearDown`. XCTest does not tell where a test stands, so a failure is reported at the place where the first object
/// that is left was made.
open class LeakFreeTestCase: XCTestCase {
    /// What may be left; nothing, unless a subclass says otherwise.
    open var leakRules: LeakRules { LeakRules() }

    /// Runs the test in a registry of its own, and looks at what it has left.
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
