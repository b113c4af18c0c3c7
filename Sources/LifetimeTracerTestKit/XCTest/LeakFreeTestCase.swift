#if canImport(XCTest)
import LifetimeTracer
import TracerBase
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
/// properties: set them to `nil` in `tearDown`. A failure is reported at the line of the test, which is looked up in
/// the sources of the package. Where the sources are not at hand, a failure is reported at the creation site of the
/// first object that is left, or at the registration site of the first token.
open class LeakFreeTestCase: XCTestCase {
    /// The objects and tokens that may be left; by default none.
    open var leakRules: LeakRules { LeakRules() }

    /// Runs the test in a registry of its own, and reports the objects and tokens that the test leaves.
    open override func invokeTest() {
        let registry = LifetimeRegistry.scoped()
        let rules = leakRules
        let heap = rules.heap ? HeapLeakCheck.beginBlocking(rules, subject: "the test") : nil
        registry.withCurrent { super.invokeTest() }
        let check = LeakCheck(registry: registry, rules: rules, subject: "the test")
        var findings = check.findingsBlocking(after: ending)
        if let heap { findings += heap.findingsBlocking(after: ending, beside: findings) }
        for finding in findings { report(finding) }
    }

    private var ending: LeakCheck.Ending {
        guard let testRun else { return .complete }
        if testRun.totalFailureCount > 0 { return .failed }
        return testRun.hasBeenSkipped ? .skipped : .complete
    }

    private func report(_ finding: Finding) {
        let (file, line) = place(of: finding)
        switch finding.weight {
        case .failure:
            #if canImport(Darwin)
            let location = XCTSourceCodeLocation(filePath: file, lineNumber: line)
            record(
                XCTIssue(
                    type: .assertionFailure, compactDescription: finding.text,
                    sourceCodeContext: XCTSourceCodeContext(location: location)))
            #else
            recordFailure(withDescription: finding.text, inFile: file, atLine: line, expected: true)
            #endif
        // XCTest has no warnings.
        case .warning: StandardError.write("\(file):\(line): warning: \(finding.text)\n")
        }
    }

    private func place(of finding: Finding) -> (file: String, line: Int) {
        let words = name.split { "-[ ].".contains($0) }
        let className = String(describing: type(of: self))
        if let method = words.last, let place = TestSource.place(of: String(method), in: className) {
            return (place.file, place.line)
        }
        let site = finding.instances.lazy.compactMap(\.site).first ?? finding.tokens.lazy.compactMap(\.site).first
        return (site?.file.description ?? "<unknown>", site?.line ?? 0)
    }
}
#endif
