import Foundation
import Testing

/// What `run` says on systems that refuse it a resource.
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

    /// A limit with which the program works, but which leaves no room for the server's first thread.
    @Test func refusedThreadIsToldOnceWithItsLimit() async throws {
        let run = try ProgramRun(
            ["-c", "ulimit -d 10000 && exec \"$@\"", "sh", Builds.tracerServer.path, "run", "--listen", "0"]
                + ["--", Builds.plainProgram.path, "exit", "3"],
            of: URL(filePath: "/bin/sh"))
        #expect(try await run.exitStatus() == 3)
        #expect(
            run.standardError == """
                LifetimeTracer: server not started: the thread tracer-start cannot be started: Cannot allocate memory \
                (errno 12). The data segment of the program is limited to 9 MB; raise that limit (ulimit -d, \
                LimitDATA= of systemd).

                """)
    }

    /// Runs a command with an empty folder in the place of /proc, in namespaces of its own.
    private static func withoutProc(_ command: [String]) throws -> ProgramRun {
        try ProgramRun(
            ["unshare", "--map-root-user", "--mount", "sh", "-c", "mount -t tmpfs none /proc && exec \"$@\"", "sh"]
                + command,
            of: URL(filePath: "/usr/bin/env"))
    }

    private static let canHideProc: @Sendable () async throws -> Bool = {
        try await withoutProc(["true"]).exitStatus() == 0
    }

    @Test(.enabled("the system does not let this user hide /proc", canHideProc), arguments: ["run", "top"])
    func missingProcIsNamed(_ command: String) async throws {
        let run = try Self.withoutProc([Builds.tracerServer.path, command, "--", Builds.plainProgram.path, "exit", "3"])
        #expect(try await run.exitStatus() == 64)
        #expect(
            run.standardError == """
                tracer-server: /proc/self/cmdline cannot be read: No such file or directory (errno 2). This program \
                reads its command line from /proc, and searches read the memory map of the traced program from there. \
                Mount /proc: mount -t proc proc /proc

                """)
    }
}
