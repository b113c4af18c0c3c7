import Foundation
import Testing

/// Limits of the system with which `run` does not start a program, each with its reason.
@Suite(.timeLimit(.minutes(20))) struct RunResourceTests {
    @Test(arguments: [
        (
            "ulimit -s 64", [],
            "the agent needs a stack of 256 KB, and the limit is 64 KB; raise the limit (ulimit -s, LimitSTACK= of "
                + "systemd)"
        ),
        (
            "ulimit -f 4", ["--fail-on-leaks"],
            "no memory for the result of the search at exit: File too large (errno 27); raise the limit on the size of "
                + "files (ulimit -f)"
        ),
    ]) func limitIsNamedAndNothingIsStarted(_ limit: String, _ options: [String], _ reason: String) async throws {
        let command = [Builds.tracerServer.path, "run", "--listen", "0"] + options
        let run = try ProgramRun(
            ["-c", "\(limit) && exec \"$@\"", "sh"] + command + ["--", Builds.plainProgram.path, "exit", "3"],
            of: URL(filePath: "/bin/sh"))
        #expect(try await run.exitStatus() == 64)
        #expect(run.standardError == "tracer-server run: \(reason)\n")
    }
}
