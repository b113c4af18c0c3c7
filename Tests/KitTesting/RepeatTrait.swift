import Foundation
public import Testing

/// Runs each test as often as the environment requests, many runs at a time: `Scripts/test --repeat-each 1000 --filter
/// LifetimeTracerTestKitTests`.
///
/// Every run has its own registry, like every test. A verdict that depended on other runs would occasionally be wrong.
public struct RepeatTrait: SuiteTrait, TestTrait, TestScoping {
    /// The number of runs.
    package static let count = ProcessInfo.processInfo.environment["REPEAT_EACH"].flatMap(Int.init) ?? 1
    /// The number of concurrent runs.
    private static let width = 50

    /// Always true: each test is repeated by itself.
    public var isRecursive: Bool { true }

    /// Repeats each case of a test; a suite and the test around the cases run once.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        testCase == nil || Self.count == 1 ? nil : self
    }

    /// Runs a test as often as requested.
    public func provideScope(
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
    /// Runs each test as often as `REPEAT_EACH` requests; once without that variable.
    public static var repeatedOnRequest: Self { Self() }
}
