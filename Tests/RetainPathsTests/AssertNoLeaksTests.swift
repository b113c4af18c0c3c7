import KitTesting
import LifetimeTracer
import LifetimeTracerTestKit
import RetainPaths
import Testing

/// The test kit's search for leaks of classes that nobody traces.
///
/// The search sees leaks of all tests that run at the same time, so these tests are where tests run one by one.
@Suite(.serialized) struct AssertNoLeaksTests {
    @Test func blockWithoutACycleHasNoIssues() async throws {
        let issues = try await recordedIssues {
            await assertNoLeaks { PlainNode.makeTree() }
        }
        #expect(issues.filter(\.isFailure).isEmpty, "\(issues.map(\.text))")
    }

    @Test func cycleOfUntracedObjectsFailsTheTest() async throws {
        let issues = try await recordedIssues {
            await assertNoLeaks(LeakRules(because: "a tree lets go")) { for _ in 0..<3 { PlainNode.leak() } }
        }
        let issue = try #require(issues.first)
        guard case .available = await RetainPaths.availability() else {
            #expect(issue.severity == .warning)
            #expect(issue.firstLine.hasPrefix("The heap was not searched for leaks of the block. "))
            return
        }
        #expect(issues.count == 1 && issue.isFailure)
        let lines = issue.text.split(separator: "\n").map(String.init)
        #expect(lines.first == "Leaked by the block: 3 cycles of PlainNode; 6 objects.")
        let expected = "Expected: the block leaves no objects that only hold each other; a tree lets go."
        #expect(lines.dropFirst().first == expected)
        #expect(lines.contains { $0.hasPrefix("PlainNode (×3) holds itself through a cycle") }, "\(issue.text)")
        #expect(lines.contains { $0.contains("PlainNode.parent") || $0.contains(".child") }, "\(issue.text)")
        #expect(lines.contains { $0.hasPrefix("  Fingerprint: ") })
    }

    @Test(.enabled("captures are not available") { await RetainPaths.availability() == .available })
    func cycleFromBeforeTheBlockIsNotReported() async throws {
        EarlierNode.leak()
        let issues = try await recordedIssues { await assertNoLeaks {} }
        #expect(issues.isEmpty, "\(issues.map(\.text))")
        let later = try await recordedIssues { await assertNoLeaks { EarlierNode.leak() } }
        #expect(later.map(\.firstLine) == ["Leaked by the block: 1 cycle of EarlierNode; 1 object."])
    }

    @Test(.enabled("captures are not available") { await RetainPaths.availability() == .available })
    func blockingFormFailsTheTest() async throws {
        let issues = try await recordedIssues {
            leakAndAssert()
        }
        #expect(issues.map(\.firstLine) == ["Leaked by the block: 1 cycle of BlockingNode; 1 object."])
    }

    @Test(.enabled("captures are not available") { await RetainPaths.availability() == .available })
    func knownLeakIsAWarning() async throws {
        let first = try await recordedIssues { await assertNoLeaks { KnownNode.leak() } }
        let line = try #require(first.first?.text.split(separator: "\n").first { $0.contains("Fingerprint: ") })
        let fingerprint = try #require(line.split(separator: " ").last)
        let json = #"[{"fingerprint": "\#(fingerprint)", "reason": "of the framework"}]"#
        let rules = LeakRules(knownLeaks: try KnownLeaks(json: json))
        let issues = try await recordedIssues { await assertNoLeaks(rules) { KnownNode.leak() } }
        #expect(issues.map(\.severity) == [.warning])
        #expect(issues.first?.text == "Known leak, 1 leak: \(fingerprint): of the framework")
    }

    @Test(.enabled("captures are not available") { await RetainPaths.availability() == .available })
    func traitReportsUntracedObjectsAndTracedOnesOnce() async throws {
        let test = try #require(Test.current)
        let trait = LeakFreeTrait.leakFree(settling: .zero, heap: true)
        let issues = try await recordedIssues {
            try await trait.provideScope(for: test, testCase: Test.Case.current) {
                TraitNode.leak()
                TracedLoner.leak()
            }
        }
        #expect(
            issues.map(\.firstLine) == [
                "Left behind by the test: 1 TracedLoner.", "Leaked by the test: 1 cycle of TraitNode; 1 object.",
            ])
    }

    @Test(.enabled("captures are not available") { await RetainPaths.availability() == .available })
    func warningDoesNotFailTheTest() async throws {
        let issues = try await recordedIssues {
            await assertNoLeaks(LeakRules(severity: .warning)) { WarningNode.leak() }
        }
        #expect(issues.map(\.severity) == [.warning])
    }

    /// Calls the blocking form, which an `async` function would not choose.
    private func leakAndAssert() {
        assertNoLeaks { BlockingNode.leak() }
    }
}

/// A traced class whose objects hold themselves.
private final class TracedLoner: TracedObject, @unchecked Sendable {
    // `@unchecked Sendable` is safe because only the creating function uses the object.
    var next: TracedLoner?

    @inline(never) static func leak() {
        let loner = TracedLoner()
        loner.next = loner
    }
}

/// A class that nobody traces.
private class PlainNode {
    var child: PlainNode?
    var parent: PlainNode?

    init() {}

    required init(parent: PlainNode) {
        self.parent = parent
    }

    @inline(never) static func makeTree() {
        let root = PlainNode()
        root.child = PlainNode()
    }

    /// Creates a parent and a child that hold each other.
    @inline(never) class func leak() {
        let root = PlainNode()
        root.child = PlainNode(parent: root)
    }
}

/// A cycle of one object, of a class that only one test uses.
private class LoneNode {
    var next: AnyObject?

    required init() {}

    @inline(never) static func leak() {
        let node = Self()
        node.next = node
    }
}

private final class EarlierNode: LoneNode {}
private final class BlockingNode: LoneNode {}
private final class KnownNode: LoneNode {}
private final class TraitNode: LoneNode {}
private final class WarningNode: LoneNode {}
