import Foundation
import LifetimeTracer
import RetainPaths
import Testing

@testable import tracer_server

/// The command of `run` while it waits for the program, and between the end of the program and its own.
@Suite(
    .timeLimit(.minutes(20)),
    .enabled("there are captures of the heap") { await RetainPaths.availability() == .available }
) struct RunSupervisionTests {
    /// A shell with job control learns that the program has stopped, and continues it.
    @Test func programThatStopsItselfStopsTheCommand() async throws {
        let script = #"set -m; "$@" & wait %1; kill -CONT %1; wait -f %1; echo "ended with $?""#
        let words = [Builds.tracerServer.path, "run", "--listen", "0", "--fail-on-leaks", "--"]
        let run = try ProgramRun(
            ["-c", script, "bash"] + words + [Builds.plainProgram.path, "stop"], of: URL(filePath: "/bin/bash"))
        #expect(try await run.exitStatus() == 0, "\(run.standardError)")
        #expect(run.lines == ["stops", "goes on", "ended with 3"], "\(run.standardError)")
    }

    /// The command waits for a reader of the pipe, and there is none.
    @Test func signalEndsACommandThatCannotWriteItsReport() async throws {
        let folder = FileManager.default.temporaryDirectory
        let path = folder.appending(path: "lt-pipe-\(UUID().uuidString.prefix(8))").path
        #expect(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        let run = try ProgramRun(
            ["run", "--listen", "0", "--report", path, "--", Builds.plainProgram.path, "leak", "0"])
        _ = try await eventually("the search has ended") {
            run.standardError.contains("Leaked by the program") ? true : nil
        }
        run.send(SIGTERM)
        #expect(try await run.exitStatus() == -SIGTERM)
    }
}
