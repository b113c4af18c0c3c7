import Foundation
import LifetimeTracer
import Testing

@testable import LifetimeTracerTestKit

/// What happens where little can be seen, or every thread is taken.
@Suite struct SightTests {
    @Test func aSwitchedOffTracerIsNoCleanBillOfHealth() async {
        await #expect(processExitsWith: .success) {
            LifetimeRegistry.isTracing = false
            let check = LeakCheck(registry: .scoped(), rules: LeakRules(), subject: "the test")
            check.registry.withCurrent { Pair.leak("unseen") }
            let findings = await check.findings()
            precondition(findings.count == 1 && findings[0].weight == .warning)
            precondition(findings[0].text.hasPrefix("Nothing was looked at: tracing is switched off."))
            precondition(check.findingsBlocking().count == 1)
        }
    }

    @Test func testsThatBlockAllThreadsOfTasksGetTheirAnswersToo() async throws {
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
        for issue in issues { #expect(!issue.text.contains("given up"), "\(issue.text)") }
    }

    private static func leakBlocking(_ label: String) {
        assertLeakFree(LeakRules(settling: .milliseconds(10))) { Pair.leak(label) }
    }

    @Test func whatTheKitKeepsIsNoHolder() async throws {
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
