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
    private func run(_ options: [String], _ words: [String]) throws -> ProgramRun {
        try ProgramRun(["run", "--listen", "0"] + options + ["--", Builds.plainProgram.path] + words)
    }

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

    @Test(arguments: [
        ["surroundings", "an argument", "--listen", ""], ["descriptors"], ["exit", "3"], ["_exit", "4"],
        ["signal", "9"], ["signal", "15"], ["close-all"], ["fork"], ["fork", "exit"],
        ["exec", Builds.plainProgram.path, "exit", "3"], ["leave-main"],
    ]) func programBehavesAsWithoutRun(_ words: [String]) async throws {
        let alone = try await PlainRun(words, .alone)
        let run = try await PlainRun(words, .underRun(["--listen", "0", "--fail-on-leaks"]))
        #expect(run.standardOutput == alone.standardOutput)
        #expect(run.status == alone.status, "\(run.announcements)")
        #expect(run.errors == alone.errors)
    }

    @Test(arguments: ["<&-", ">&-", "2>&-"]) func closedStandardStreamsStayClosed(_ redirections: String) async throws {
        let alone = try await PlainRun(["descriptors"], .alone, redirections: redirections)
        let options = ["--listen", "0", "--fail-on-leaks"]
        let run = try await PlainRun(["descriptors"], .underRun(options), redirections: redirections)
        #expect(run.standardOutput == alone.standardOutput)
        #expect(run.status == alone.status)
    }

    @Test func signalsReachTheProgram() async throws {
        let run = try run(["--fail-on-leaks"], ["wait", "\(SIGUSR1)"])
        _ = try await eventually("the program waits") { run.lines.first { $0.hasPrefix("waiting ") } }
        run.send(SIGUSR1)
        #expect(try await run.exitStatus() == 0, "\(run.standardError)")
        #expect(run.lines.last == "received \(SIGUSR1) once")
    }

    /// A terminal sends its signals to the whole process group.
    @Test func controlCReachesTheProgramOnce() async throws {
        let terminal = try Terminal()
        let words = ["run", "--listen", "0", "--fail-on-leaks", "--", Builds.plainProgram.path, "wait", "\(SIGINT)"]
        let run = try ProgramRun(words, standardOutput: .terminal(terminal.path))
        _ = try await eventually("the program waits") { terminal.text.contains("waiting ") ? true : nil }
        terminal.type("\u{3}")
        #expect(try await run.exitStatus() == 0)
        _ = try await eventually("the program has printed") { terminal.text.contains("received 2 ") ? true : nil }
        #expect(terminal.text.contains("received 2 once"), "\(terminal.text)")
    }

    /// The shell ignores SIGCHLD for the command, and so for the program.
    @Test func ignoredChildSignalIsInherited() async throws {
        let words = [Builds.tracerServer.path, "run", "--listen", "0", "--fail-on-leaks", "--"]
        let run = try ProgramRun(
            ["-c", "trap '' CHLD; exec \"$@\"", "sh"] + words + [Builds.plainProgram.path, "surroundings"],
            of: URL(filePath: "/bin/bash"))
        #expect(try await run.exitStatus() == 0, "\(run.standardError)")
        #expect(run.lines.contains { $0.hasPrefix("ignored") && $0.contains("\(SIGCHLD)") }, "\(run.standardOutput)")
    }

    /// The reader of the program's output must see its end, although the command goes on.
    @Test func outputThatTheProgramClosesEnds() async throws {
        var ends: [Int32] = [0, 0]
        // Unlike those of a pipe, these ends can be made in a single call that no other start can inherit.
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        let words = ["run", "--listen", "0", "--fail-on-leaks", "--", Builds.plainProgram.path, "close-output"]
        let run = try ProgramRun(words, standardOutput: .descriptor(ends[1]))
        close(ends[1])
        defer { close(ends[0]) }
        _ = try await eventually("the output has ended") {
            var watched = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
            return poll(&watched, 1, 0) == 1 && watched.revents & Int16(POLLHUP) != 0 ? true : nil
        }
        run.send(SIGTERM)
        #expect(try await run.exitStatus() == -SIGTERM)
    }

    @Test func signalThatEndsTheProgramEndsTheRun() async throws {
        let run = try run(["--fail-on-leaks"], ["cycle"])
        _ = try await eventually("the program has leaked") { run.lines.first { $0 == "planted" } }
        run.send(SIGTERM)
        #expect(try await run.exitStatus() == -SIGTERM)
        #expect(run.standardError.contains("leaks not searched for at exit: the program was ended by signal 15"))
    }

    @Test func programEndsWithTheRun() async throws {
        let run = try run(["--fail-on-leaks"], ["wait", "\(SIGUSR1)"])
        let line = try await eventually("the program waits") { run.lines.first { $0.hasPrefix("waiting ") } }
        let process = try #require(pid_t(line.dropFirst("waiting ".count)))
        #expect(kill(process, 0) == 0)
        run.send(SIGKILL)
        #expect(try await run.exitStatus() == -SIGKILL)
        _ = try await eventually("the program has ended") { kill(process, 0) == 0 ? nil : true }
    }

    @Test func programThatContainsTheLibraryIsRefused() async throws {
        let run = try ProgramRun(["run", "--fail-on-leaks", "--", Builds.tracerServer.path, "--version"])
        #expect(try await run.exitStatus() == 64)
        #expect(run.standardOutput == "")
        #expect(run.standardError.contains("--fail-on-leaks, --report, --stay and --summary need the agent, which"))
    }
}
