import KitTesting
import LifetimeTracer
import Testing

@testable import LifetimeTracerTestKit

/// Tests that fail for another reason, and code that runs outside the test's tasks.
@Suite(.repeatedOnRequest) struct FailedTestTests {
    private struct Mishap: Error {}

    private func issues(_ body: @escaping @Sendable () async throws -> Void) async throws -> [Issue] {
        let test = try #require(Test.current)
        return try await recordedIssues {
            try await LeakFreeTrait.leakFree(settling: .zero)
                .provideScope(for: test, testCase: Test.Case.current, performing: body)
        }
    }

    @Test func theLeakOfATestThatFailedIsANote() async throws {
        let issues = try await issues {
            Pair.leak("one")
            Issue.record("something else")
        }
        #expect(issues.map(\.isFailure) == [true, false])
        #expect(issues.last?.firstLine == "Left behind by the test: 2 Pair.")
        #expect(
            issues.last?.text.hasSuffix("The test had already failed: the failure may be the cause of the leak.")
                == true)
        #expect(issues.last?.text.contains("Holder: ") == false)
        #expect(issues.last?.text.split(separator: "\n").count == 3)
    }

    @Test func theLeakOfATestThatThrewIsANote() async throws {
        let issues = Locked<[Issue]>([])
        await #expect(throws: Mishap.self) {
            let test = try #require(Test.current)
            try await recordedIssues(into: issues) {
                try await LeakFreeTrait.leakFree(settling: .zero).provideScope(for: test, testCase: Test.Case.current) {
                    Pair.leak("one")
                    throw Mishap()
                }
            }
        }
        #expect(issues.withLock { $0 }.map(\.isFailure) == [false])
    }

    @Test func theLeakOfATestThatWasCancelledIsANote() async throws {
        let issues = try await issues {
            withUnsafeCurrentTask { $0?.cancel() }
            Pair.leak("one")
        }
        #expect(issues.map(\.isFailure) == [false])
        #expect(
            issues.last?.text.hasSuffix("The test was cancelled: the cancellation may be the cause of the leak.")
                == true)
    }

    @Test func cancelledTestKeepsItsSettlingTime() async throws {
        let shelf = Shelf()
        let test = try #require(Test.current)
        let testCase = Test.Case.current
        let issues = try await recordedIssues {
            await Task {
                try? await LeakFreeTrait.leakFree(settling: .seconds(600)).provideScope(for: test, testCase: testCase) {
                    shelf.keep(Screen())
                    withUnsafeCurrentTask { $0?.cancel() }
                    Task.detached {
                        await Task.yield()
                        shelf.clear()
                    }
                }
            }.value
        }
        #expect(issues.isEmpty)
    }

    @Test func leakAfterAKnownIssueFailsTheTest() async throws {
        let issues = try await issues {
            Pair.leak("one")
            withKnownIssue { Issue.record("known") }
        }
        #expect(issues.filter(\.isFailure).map(\.firstLine) == ["Left behind by the test: 2 Pair."])
    }

    @Test func leakAfterAWarningFailsTheTest() async throws {
        let issues = try await issues {
            Pair.leak("one")
            Issue.record("a word", severity: .warning)
        }
        #expect(issues.map(\.isFailure) == [false, true])
    }

    @Test func objectsBoundToTheRegistryCountOnAnyThread() async throws {
        let unbound = try await issues { await Task.detached { Pair.leak("outside") }.value }
        #expect(unbound.isEmpty)
        let bound = try await issues {
            let registry = LifetimeRegistry.current
            await Task.detached { registry.withCurrent { Pair.leak("inside") } }.value
        }
        #expect(bound.map(\.firstLine) == ["Left behind by the test: 2 Pair."])
    }

    @Test func detachedTaskDetectsTheTestFramework() async {
        #expect(TestFramework.current == .swiftTesting)
        #expect(await Task.detached { TestFramework.current }.value == .swiftTesting)
    }

    @Test func eachLeakingTestHasItsOwnRegistry() async throws {
        let first = try await issues { Pair.leak("first") }
        let second = try await issues { Pair.leak("second") }
        #expect(first.first?.text.contains("\"second\"") == false)
        #expect(second.first?.text.contains("\"first\"") == false)
    }
}
