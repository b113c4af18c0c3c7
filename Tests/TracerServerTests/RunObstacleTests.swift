import Foundation
import Testing

/// A program under `run` whose Swift runtime is not the one that the hooks expect.
@Suite(.timeLimit(.minutes(20))) struct RunObstacleTests {
    @Test func replacedFunctionOfTheRuntimeLeavesTheClassesUntraced() async throws {
        let library = try GuestLibrary(.replacedRuntime)
        let run = try await SteppedRun(
            words: ["steps", "5", "-2", "3"], environment: ["LD_PRELOAD": library.path])
        let classes = try await run.classes()
        #expect(!classes.traced && classes.reason == "another library has replaced swift_allocObject")
        #expect(classes.images == 0 && classes.unknownDeaths == 0)
        try await run.step(2)
        try await run.step(3)
        #expect(try await run.counts() == nil)
    }

    /// LeakSanitizer does not recognise all references of Swift, and would report objects of the tracer.
    @Test(arguments: [[], ["leak"]]) func leakSanitizerReportsWhatItReportsWithoutRun(_ words: [String]) async throws {
        let program = try GuestLibrary(.sanitized)
        let alone = try ProgramRun(words, of: URL(filePath: program.path))
        let run = try ProgramRun(["run", "--listen", "0", "--", program.path] + words)
        let status = try await alone.exitStatus()
        #expect(try await run.exitStatus() == status, "\(run.standardError)")
        #expect(run.standardOutput == alone.standardOutput)
        // Where the sanitizer must not trace the process, it reports that instead, in both runs.
        let summaries = [alone, run].map { $0.standardError.split(separator: "\n").filter { $0.hasPrefix("SUMMARY") } }
        #expect(summaries[0] == summaries[1])
    }

    @Test func programDoesNotNoticeTheObstacle() async throws {
        let library = try GuestLibrary(.replacedRuntime)
        let words = ["surroundings"]
        let alone = try await PlainRun(words, .alone, preload: library.path)
        let run = try await PlainRun.announced(words, .underRun(["--listen", "0"]), preload: library.path)
        #expect(run.isServed, "\(run.announcements)")
        #expect(run.status == alone.status && run.standardOutput == alone.standardOutput && run.errors == alone.errors)
        #expect(run.standardOutput.contains("LD_PRELOAD=\(library.path)\n"))
    }
}
