import KitTesting
import LifetimeTracer
import LifetimeTracerTestKit
import Testing

/// Failures that block their thread during the search for retain paths.
///
/// The tests run one after the other, because there are few threads for tasks.
@Suite(.serialized, .leakFree) struct BlockingTests {
    @Test func objectLeftByABlockIsReported() async throws {
        let shelf = Shelf()
        let issues = try await recordedIssues { Self.leaveBehind(shelf) }
        #expect(issues.map(\.firstLine) == ["Left behind by the block: 1 Screen."])
        shelf.clear()
    }

    private static func leaveBehind(_ shelf: Shelf) {
        assertLeakFree(LeakRules(settling: .zero)) { shelf.keep(Screen()) }
    }

    @Test func retainedObjectIsReportedAsAlive() async throws {
        let shelf = Shelf()
        let issues = try await recordedIssues {
            expectDeallocatedSync {
                let screen = Screen(label: "kept")
                shelf.keep(screen)
                return screen
            }
        }
        let issue = try #require(issues.first)
        #expect(issue.firstLine.hasPrefix("Screen #") && issue.firstLine.hasSuffix(" is still alive."))
        #expect(issue.text.contains("Expected: the instance is deallocated: it was shown."))
        #expect(issue.text.contains("\"kept\", created at LifetimeTracerTestKitTests/BlockingTests.swift:"))
        #expect(issues.count == 1)
        shelf.clear()
    }

    private func expectDeallocatedSync(_ make: () -> Screen) {
        expectDeallocated(after: .zero, because: "it was shown", make)
    }

    @Test func wrongCountsOfLiveInstancesAreReported() async throws {
        let screens = [Screen(), Screen()]
        let issues = try await recordedIssues {
            expectLive(Screen.self, count: 2)
            expectWithinBudgets([Screen.self: 2])
            expectInvariant(1, of: Screen.self, forEach: Screen.self, because: "they are the same")
            expectLive(Screen.self, count: 1, because: "there is one window")
            expectWithinBudgets([Screen.self: 1], because: "there is one window")
            expectInvariant(2, of: Pair.self, forEach: Screen.self, because: "a screen has a pair")
        }
        #expect(
            issues.map(\.firstLine) == [
                "2 Screen are live.", "Over budget: 2 Screen (budget 1).", "2 live Screen and 0 live Pair.",
            ])
        #expect(issues.first?.text.contains("Expected: 1: there is one window.") == true)
        withExtendedLifetime(screens) {}
    }
}
