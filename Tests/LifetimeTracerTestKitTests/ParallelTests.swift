import Foundation
import KitTesting
import LifetimeTracer
import LifetimeTracerTestKit
import Testing

/// Five hundred parallel cases, half of them with a leak.
///
/// Exactly those fail, and each names only its own objects.
@Suite struct ParallelTests {
    @Test(.halfOfTheCasesFail, .leakFree, arguments: 0..<500)
    func halfOfTheCasesLeak(_ number: Int) async {
        CaseNumber.current?.set(number)
        // Objects of other cases are born and die meanwhile, on the same threads.
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let screen = Screen(label: "case \(number)")
                    await Task.yield()
                    withExtendedLifetime(screen) {}
                }
            }
        }
        if number.isMultiple(of: 2) { Pair.leak("case \(number)") }
    }
}

/// The number of the running case, which the case tells to the trait around it.
final class CaseNumber: Sendable {
    @TaskLocal static var current: CaseNumber?

    private let number = Locked<Int?>(nil)

    var value: Int? { number.withLock { $0 } }

    func set(_ value: Int) { number.withLock { $0 = value } }
}

/// Fails an even case without a failure, an odd case with a failure, and a case that names another case's objects.
struct HalfFailTrait: TestTrait, TestScoping {
    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        testCase == nil ? nil : self
    }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let number = CaseNumber()
        let issues = try await recordedIssues {
            try await CaseNumber.$current.withValue(number) { try await function() }
        }
        let value = try #require(number.value)
        guard value.isMultiple(of: 2) else {
            #expect(issues.isEmpty, "case \(value): \(issues.map(\.text))")
            return
        }
        #expect(issues.map(\.isFailure) == [true], "case \(value)")
        let text = issues.map(\.text).joined()
        #expect(text.hasPrefix("Left behind by the test: 2 Pair.\n"), "case \(value): \(text)")
        let named = text.split(separator: "\n").filter { $0.hasPrefix("• ") }
        #expect(named.count == 2 && named.allSatisfy { $0.contains(" \"case \(value)\", created at") }, "\(text)")
        #expect(!text.contains("Screen"), "\(text)")
    }
}

extension Trait where Self == HalfFailTrait {
    static var halfOfTheCasesFail: Self { Self() }
}
