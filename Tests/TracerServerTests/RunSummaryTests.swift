import Foundation
import Testing

/// The real `run --summary`: the state of the program at its exit, in a few lines.
@Suite(.timeLimit(.minutes(20))) struct RunSummaryTests {
    private func run(_ options: [String], _ words: [String]) throws -> ProgramRun {
        try ProgramRun(["run", "--listen", "0", "--summary"] + options + ["--", Builds.plainProgram.path] + words)
    }

    /// The lines on standard error from the summary on.
    private func summary(of run: ProgramRun) -> [String] {
        let lines = run.standardError.split(separator: "\n").map(String.init)
        return Array(lines.drop { !$0.contains(" live; ") })
    }

    @Test func summaryNamesLiveInstancesByType() async throws {
        let run = try run([], ["leak", "5"])
        #expect(try await run.exitStatus() == 5)
        #expect(run.standardOutput == "the last words\n")
        #expect(
            summary(of: run) == [
                "LifetimeTracer: 6 instances of 2 types live; 6 born, 0 died, at most 6 live at once.",
                "  3 plain_program.PlainModel (3 born)", "  3 plain_program.PlainScreen (3 born)", "Verdicts: none.",
                "Growing: nothing.",
            ])
    }

    /// What the program has printed is written before the work at its exit, during which the program may be killed.
    @Test func outputOfTheProgramPrecedesTheWorkAtItsExit() async throws {
        let run = try await PlainRun(
            ["leak", "5"], .underRun(["--listen", "0", "--summary"]), redirections: "2>&1")
        #expect(run.status == 5)
        let lines = run.standardOutput.split(separator: "\n")
        let output = try #require(lines.firstIndex(of: "the last words"), "\(lines)")
        let summary = try #require(lines.firstIndex { $0.contains(" instances of 2 types live; ") }, "\(lines)")
        #expect(output < summary)
    }

    @Test func untracedClassesAreExplained() async throws {
        let run = try run(["--no-classes"], ["leak", "0"])
        #expect(try await run.exitStatus() == 0)
        let line = "The program's classes were not traced: the program was started without them."
        #expect(summary(of: run).contains(line), "\(run.standardError)")
    }

    /// The loader fills the slots of a library that is loaded again in the same place.
    @Test func libraryThatIsLoadedAgainAndAgainIsTracedEachTime() async throws {
        let guest = try GuestLibrary()
        let run = try run([], ["reload", guest.path, "20"])
        #expect(try await run.exitStatus() == 0)
        #expect(run.standardOutput == "reloaded 20\n")
        // Each time it creates five objects and keeps three.
        #expect(summary(of: run).contains("  60 Guest.Guest (100 born)"), "\(run.standardError)")
    }

    @Test func summaryPrecedesTheLineOfThePageThatStays() async throws {
        let run = try run(["--stay"], ["leak", "5"])
        _ = try await eventually("the page stays") { run.standardError.contains("the page stays at") ? true : nil }
        #expect(summary(of: run).count == 6)
        run.send(SIGTERM)
        #expect(try await run.exitStatus() == 5)
    }

    @Test func programThatEndsWithoutExitPrintsNoSummary() async throws {
        let run = try run([], ["_exit", "7"])
        #expect(try await run.exitStatus() == 7)
        #expect(summary(of: run).isEmpty)
    }

    /// The program's own file with the number of standard error stays untouched.
    @Test func summaryIsNotWrittenToAnotherFile() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "lt-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let run = try run([], ["replace-errors", file.path])
        #expect(try await run.exitStatus() == 0)
        #expect(try Data(contentsOf: file).isEmpty)
        #expect(summary(of: run).isEmpty)
    }
}
