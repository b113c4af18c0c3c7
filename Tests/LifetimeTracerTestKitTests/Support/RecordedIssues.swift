import LifetimeTracer
import Testing

/// Runs a part of a test and returns the issues that it records, which do not count for the test.
func recordedIssues(_ body: @Sendable () async throws -> Void) async throws -> [Issue] {
    let test = try #require(Test.current)
    let issues = Locked<[Issue]>([])
    let listener: IssueHandlingTrait = .compactMapIssues { issue in
        issues.withLock { $0.append(issue) }
        return nil
    }
    try await listener.provideScope(for: test, testCase: Test.Case.current, performing: body)
    return issues.withLock { $0 }
}

extension Issue {
    /// What it says.
    var text: String { comments.map(\.rawValue).joined(separator: "\n") }
    /// The first line of that.
    var firstLine: String { text.split(separator: "\n").first.map(String.init) ?? "" }
}
