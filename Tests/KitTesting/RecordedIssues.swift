import LifetimeTracer
import Testing

extension Issue: LockedState {}

/// Runs a part of a test and returns its issues, which do not count for the test.
package func recordedIssues(_ body: @Sendable () async throws -> Void) async throws -> [Issue] {
    let issues = Locked<[Issue]>([])
    try await recordedIssues(into: issues, body)
    return issues.withLock { $0 }
}

/// Like `recordedIssues(_:)`, for a body that may throw.
package func recordedIssues(into issues: Locked<[Issue]>, _ body: @Sendable () async throws -> Void) async throws {
    let test = try #require(Test.current)
    let listener: IssueHandlingTrait = .compactMapIssues { issue in
        issues.withLock { $0.append(issue) }
        return nil
    }
    try await listener.provideScope(for: test, testCase: Test.Case.current, performing: body)
}

extension Issue {
    /// The text of the issue.
    package var text: String { comments.map(\.rawValue).joined(separator: "\n") }
    /// The first line of the text.
    package var firstLine: String { text.split(separator: "\n").first.map(String.init) ?? "" }
}
