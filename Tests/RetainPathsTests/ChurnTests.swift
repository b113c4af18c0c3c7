import Foundation
import Testing

/// Answers stay right while other threads rewrite the heap, and while the heap is full of blocks that look like
/// objects.
///
/// With `RETAIN_SHAPES_CHURN=6`, each leak is searched for six times under churn, which gives about a thousand answers.
@Suite(.disabledUnderSanitizers, .timeLimit(.minutes(20))) struct ChurnTests {
    private static var runs: Int? { ProcessInfo.processInfo.environment["RETAIN_SHAPES_CHURN"].flatMap(Int.init) }

    @Test func answersAreRightWhileThreadsRewriteTheHeap() async throws {
        // Without the variable, every twentieth shape.
        let extent = Self.runs.map { ["--runs", "\($0)"] } ?? ["--every", "20"]
        let outcome = try await ShapesProgram.run(["--churn", "8", "--retries", "4"] + extent)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.right >= 18)
        let rounds = outcome.lines.lazy.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }.first
        #expect(try #require(rounds) > 1000, "the heap was rewritten meanwhile")
    }

    @Test func randomWordsAreNotReportedAsHolders() async throws {
        let outcome = try await ShapesProgram.run(["--random-blocks", "200000", "--every", "20", "--retries", "4"])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.right >= 18)
    }
}
