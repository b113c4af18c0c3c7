import Foundation
import Testing

/// Runs each test as often as the environment says, many at a time: `Scripts/test --repeat-each 1000 --filter LifetimeTracerTestKitTests`.
///
/// Every run has a registry of its own, like every test; a verdict that depended on what others do would be wrong now and then.
struct RepeatTrait: SuiteTrait, TestTrait, TestScoping {
    /// How many runs there are.
    static let count = ProcessInfo.processInfo.environment["REPEAT_EACH"].flatMap(Int.init) ?? 1
    /// How many go on at a time.
    private static let width = 50

    var isRecursive: Bool { true }

    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        testCase == nil || Self.count == 1 ? nil : self
    }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            try await withoutActuallyEscaping(function) { function in
                for number in 0..<Self.count {
                    if number >= Self.width { try await group.next() }
                    group.addTask { try await function() }
                }
                try await group.waitForAll()
            }
        }
    }
}

extension Trait where Self == RepeatTrait {
    /// Each test runs as often as `REPEAT_EACH` says; once where it says nothing.
    static var repeatedOnRequest: Self { Self() }
}
