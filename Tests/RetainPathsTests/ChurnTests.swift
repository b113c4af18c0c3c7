import Foundation
import Testing

/// Answers stay right while the heap is rewritten, or full of what looks like objects.
///
/// `RETAIN_SHAPES_CHURN=6` asks for each leak as often while others rewrite the heap: six times are a thousand answers.
@Suite(.whereRetainPathsCanBeHad, .timeLimit(.minutes(20))) struct ChurnTests {
    private static var runs: Int? { ProcessInfo.processInfo.environment["RETAIN_SHAPES_CHURN"].flatMap(Int.init) }

    @Test func answersAreRightWhileThreadsRewriteTheHeap() async throws {
        // Without a number a tenth of the shapes, from all over.
        let extent = Self.runs.map { ["--runs", "\($0)"] } ?? ["--every", "10"]
        let outcome = try await ShapesProgram.run(["--churn", "8", "--retries", "4"] + extent)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.right >= 18)
        let rounds = outcome.lines.lazy.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }.first
        #expect(try #require(rounds) > 1000, "the heap was rewritten meanwhile")
    }

    @Test func randomWordsAreNoHolders() async throws {
        let outcome = try await ShapesProgram.run(["--random-blocks", "200000", "--every", "10", "--retries", "4"])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.right >= 18)
    }
}
