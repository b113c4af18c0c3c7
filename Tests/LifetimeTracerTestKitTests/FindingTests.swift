import ForkTesting
import Foundation
import KitTesting
import LifetimeTracer
import RetainPaths
import Testing

@testable import LifetimeTracerTestKit

/// Findings without retain paths, and findings while every thread is busy.
@Suite struct FindingTests {
    @Test func disabledTracingIsReportedAsAWarning() async {
        await #expect(processExitsWith: .success) {
            LifetimeRegistry.isTracing = false
            let check = LeakCheck(registry: .scoped(), rules: LeakRules(), subject: "the test")
            check.registry.withCurrent { Pair.leak("unseen") }
            let findings = await check.findings()
            demand(findings.count == 1 && findings[0].weight == .warning)
            demand(findings[0].text.hasPrefix("Nothing was checked: tracing is off."))
            demand(check.findingsBlocking().count == 1)
        }
    }

    @Test func searchesAreAnsweredWhileAllTaskThreadsBlock() async throws {
        // There are as many threads for tasks as processors.
        let count = ProcessInfo.processInfo.activeProcessorCount + 2
        let issues = try await recordedIssues {
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<count {
                    group.addTask { Self.leakBlocking("blocking \(number)") }
                }
            }
        }
        #expect(issues.count == count)
        for issue in issues { #expect(!issue.text.contains("timed out"), "\(issue.text)") }
    }

    private static func leakBlocking(_ label: String) {
        assertLeakFree(LeakRules(settling: .milliseconds(10))) { Pair.leak(label) }
    }

    @Test(.enabled("there are retain paths") { await RetainPaths.availability() == .available })
    func objectInAStackFrameIsNotReportedAsFreed() async throws {
        let issues = try await recordedIssues {
            let screen = Screen()
            await expectReleased(screen.lifetime, within: .milliseconds(1))
            withExtendedLifetime(screen) {}
        }
        let text = try #require(issues.first?.text)
        let lines = text.split(separator: "\n")
        #expect(!lines.contains { $0.hasSuffix(" is gone.") && !$0.hasPrefix("Expected") }, "\(text)")
    }

    @Test(.enabled("there are retain paths") { await RetainPaths.availability() == .available })
    func noSearchRequestIsSplitInTwo() async throws {
        // These are more instances than one search answers.
        let count = RetainQuestion.mostInstancesTogether / HolderSearch.instanceLimit + 4
        let issues = try await recordedIssues {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<count { group.addTask { await Self.leakMany() } }
            }
        }
        #expect(issues.count == count)
        for issue in issues { #expect(issue.text.contains("  Victims: 247 more\n"), "\(issue.text)") }
    }

    private static func leakMany() async {
        await makeLeakedChain()?.next = nil
    }

    private static func makeLeakedChain() async -> Chain<Int>? {
        weak var leaked: Chain<Int>?
        await assertLeakFree(LeakRules(settling: .zero)) {
            let first = Chain<Int>()
            first.next = first
            first.others = (1..<HolderSearch.instanceLimit).map { _ in Screen() }
            leaked = first
        }
        return leaked
    }

    @Test func testKitReferencesAreNotReportedAsHolders() async throws {
        let issues = try await recordedIssues {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        let registry = LifetimeRegistry.scoped()
                        let lifetime = registry.withCurrent {
                            let pair = Pair()
                            pair.other = pair
                            return pair.lifetime
                        }
                        await expectReleased(lifetime, within: .milliseconds(10))
                    }
                }
            }
        }
        #expect(issues.count == 8)
        for issue in issues {
            #expect(!issue.text.contains("LifetimeTracerTestKit."), "\(issue.text)")
            #expect(!issue.text.contains("Signal") && !issue.text.contains("HolderSearch"), "\(issue.text)")
        }
    }
}
