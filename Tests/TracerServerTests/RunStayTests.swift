import Foundation
import RetainPaths
import Testing

/// The real `run --stay`: the page after the exit of a program.
@Suite(.timeLimit(.minutes(20))) struct RunStayTests {
    private func run(_ options: [String], _ words: [String]) throws -> ProgramRun {
        try ProgramRun(["run", "--listen", "0"] + options + ["--", Builds.plainProgram.path] + words)
    }

    /// Waits until the program is in its exit, and returns the address of its page.
    private func address(ofStaying run: ProgramRun, status: Int) async throws -> String {
        let address = try await run.servedAddress()
        let line =
            "LifetimeTracer: the program has ended with status \(status); the page stays at http://\(address)/ until "
            + "Control-C, SIGINT or SIGTERM\n"
        _ = try await eventually("the page stays") { run.standardError.contains(line) ? true : nil }
        return address
    }

    @Test(arguments: [SIGINT, SIGTERM]) func pageStaysUntilASignal(_ signal: Int32) async throws {
        let run = try run(["--stay"], ["exit", "5"])
        let address = try await address(ofStaying: run, status: 5)
        let check = try ProgramRun(["check", address])
        #expect(try await check.exitStatus() == 0, "\(check.standardError)")
        run.send(signal)
        #expect(try await run.exitStatus() == 5)
    }

    /// libdispatch's thread reads the signals of a source from a descriptor, often before the handler is called.
    @Test(arguments: 1...8) func pageStaysUntilASignalForWhichTheProgramHasASource(_ attempt: Int) async throws {
        let run = try ProgramRun(["run", "--listen", "0", "--stay", "--", Builds.signalSources.path])
        _ = try await eventually("the program waits") { run.standardOutput.contains("waiting") ? true : nil }
        run.send(SIGTERM)
        _ = try await address(ofStaying: run, status: 4)
        run.send(attempt.isMultiple(of: 2) ? SIGTERM : SIGINT)
        #expect(try await run.exitStatus() == 4)
    }

    /// The file of a Unix socket is removed at the exit, but not before the page is closed.
    @Test func socketFileStaysWithThePage() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "lt-\(UUID().uuidString)").path
        let words = ["run", "--stay", "--listen=unix:\(path)", "--", Builds.plainProgram.path, "exit", "5"]
        let run = try ProgramRun(words)
        _ = try await eventually("the page stays") { run.standardError.contains("the page stays") ? true : nil }
        let check = try ProgramRun(["check", "unix:\(path)"])
        #expect(try await check.exitStatus() == 0, "\(check.standardError)")
        run.send(SIGTERM)
        #expect(try await run.exitStatus() == 5)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func lastOutputAppearsWhileThePageStays() async throws {
        let run = try run(["--stay"], ["leak", "0"])
        _ = try await address(ofStaying: run, status: 0)
        _ = try await eventually("the output is there") { run.standardOutput == "the last words\n" ? true : nil }
        run.send(SIGTERM)
        #expect(try await run.exitStatus() == 0)
        #expect(run.standardOutput == "the last words\n")
    }

    @Test(.enabled("captures are not available") { await RetainPaths.availability() == .available })
    func pageShowsTheLeaksThatFailTheRun() async throws {
        let run = try run(["--stay", "--fail-on-leaks"], ["leak", "0"])
        let address = try await address(ofStaying: run, status: 0)
        _ = try await eventually("the leaks are printed while the page stays") {
            run.standardError.contains("Leaked by the program: 3 cycles of PlainScreen; 6 objects.") ? true : nil
        }
        let printed = run.standardError
        let (text, end) = (printed.range(of: "Leaked by the program"), printed.range(of: "the page stays"))
        #expect(text.map(\.lowerBound) ?? printed.endIndex < end.map(\.lowerBound) ?? printed.startIndex, "\(printed)")
        let leaks = try ProgramRun(["leaks", address])
        #expect(try await leaks.exitStatus() == 1, "\(leaks.standardError)")
        #expect(leaks.standardOutput.contains("PlainScreen.model"), "\(leaks.standardOutput)")
        run.send(SIGINT)
        #expect(try await run.exitStatus() == 3)
        #expect(run.standardError.components(separatedBy: "Leaked by the program").count == 2, "printed once")
    }

    @Test func programWithoutAPageDoesNotStay() async throws {
        let first = try ProgramRun(["run", "--listen", "0", Builds.plainProgram.path, "cycle"])
        let address = try await first.servedAddress()
        let run = try ProgramRun(
            ["run", "--stay", "--listen=\(address)", "--", Builds.plainProgram.path, "exit", "3"])
        #expect(try await run.exitStatus() == 3)
    }

    @Test func programThatASignalEndsDoesNotStay() async throws {
        let run = try run(["--stay"], ["signal", "15"])
        #expect(try await run.exitStatus() == -SIGTERM)
        #expect(!run.standardError.contains("the page stays"))
    }
}
