import KitTesting
import LifetimeTracer
import LifetimeTracerTestKit
import RetainPaths
import Testing

/// Known leaks fail no test, and are counted.
@Suite(.repeatedOnRequest, .enabled("there are retain paths") { await RetainPaths.availability() == .available })
struct KnownLeakTests {
    private static let pairs = """
        [{"pattern": "Pair.other → Pair", "reason": "pairs are to be parted in version 2"}]
        """

    private func issues(
        _ rules: LeakRules, _ body: @escaping @Sendable () async throws -> Void
    ) async throws -> [Issue] {
        let test = try #require(Test.current)
        return try await recordedIssues {
            try await LeakFreeTrait.leakFree(rules).provideScope(
                for: test, testCase: Test.Case.current, performing: body)
        }
    }

    @Test func aKnownLeakIsAWarningWithItsCount() async throws {
        let rules = LeakRules(settling: .zero, knownLeaks: try KnownLeaks(json: Self.pairs))
        let issues = try await issues(rules) { Pair.leak("known") }
        #expect(issues.map(\.isFailure) == [false])
        #expect(
            issues.map(\.text) == [
                "Known leak, 2 instances: Pair.other → Pair: pairs are to be parted in version 2"
            ])
    }

    @Test func unknownLeakBesideAKnownLeakFails() async throws {
        let rules = LeakRules(settling: .zero, knownLeaks: try KnownLeaks(json: Self.pairs))
        let issues = try await issues(rules) {
            Pair.leak("known")
            _ = Unmanaged.passRetained(Screen(label: "not known"))
        }
        #expect(issues.map(\.isFailure) == [false, true])
        #expect(issues.last?.firstLine == "Left behind by the test: 1 Screen.")
        #expect(issues.last?.text.contains("Pair") == false)
    }

    @Test func expiredKnownLeakFailsAgain() async throws {
        let expired = #"[{"pattern": "Pair.other → Pair", "reason": "soon", "expires": "2020-01-31"}]"#
        let rules = LeakRules(settling: .zero, knownLeaks: try KnownLeaks(json: expired))
        let issues = try await issues(rules) { Pair.leak("expired") }
        #expect(issues.map(\.isFailure) == [true])
        #expect(issues.first?.text.contains("Was a known leak until 2020-01-31: soon") == true)
    }
}
