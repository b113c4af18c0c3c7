import Foundation
import LifetimeTracer
import RetainPaths
import Testing

@testable import tracer_server

/// The real `run` with a program that does not link the library.
@Suite(.timeLimit(.minutes(20))) struct RunProgramTests {
    @Test(arguments: AgentTests.behaviours) func programBehavesAsWithoutRun(_ words: [String]) async throws {
        let alone = try await PlainRun(words, .alone)
        let run = try await PlainRun.announced(words, .underRun(["--listen", "0"]))
        #expect(alone.announcements.isEmpty && run.isServed, "\(run.announcements)")
        #expect(run.standardOutput == alone.standardOutput)
        #expect(run.status == alone.status)
        #expect(run.errors == alone.errors)
    }

    @Test(arguments: ["<&-", ">&-", "2>&-", "<&- >/dev/null 2>&-"])
    func closedStandardStreamsStayClosed(_ redirections: String) async throws {
        let alone = try await PlainRun(["descriptors"], .alone, redirections: redirections)
        let run = try await PlainRun(["descriptors"], .underRun(["--listen", "0"]), redirections: redirections)
        #expect(run.standardOutput == alone.standardOutput)
        #expect(run.status == alone.status)
    }

    /// No thread of the tracer gets a signal for which the program waits, such as a watchdog's SIGABRT.
    @Test(arguments: [SIGABRT, SIGSEGV, SIGFPE, SIGSYS, SIGTERM])
    func signalThatTheProgramAwaitsIsItsOwn(_ signal: Int32) async throws {
        let run = try ProgramRun(["run", "--listen", "0", Builds.plainProgram.path, "wait", "\(signal)"])
        _ = try await run.servedAddress()
        _ = try await eventually("the program waits") { run.lines.first { $0.hasPrefix("waiting ") } }
        run.send(signal)
        #expect(try await run.exitStatus() == 0)
        #expect(run.lines.last == "received \(signal) once")
    }

    @Test func argumentsAreBytes() async throws {
        let words = ["run", "--listen", "0", Builds.plainProgram.path, "surroundings"]
        let run = try ProgramRun(
            ["-c", #"exec "$@" "$(printf '\377\376')""#, "sh", Builds.tracerServer.path] + words,
            of: URL(filePath: "/bin/sh"))
        #expect(try await run.exitStatus() == 0)
        #expect(run.lines.contains("argument [255, 254]"))
    }

    @Test func otherPreloadedLibrariesStay() async throws {
        let alone = try await PlainRun(["surroundings"], .alone, preload: "libm.so.6")
        let run = try await PlainRun.announced(["surroundings"], .underRun(["--listen", "0"]), preload: "libm.so.6")
        #expect(run.isServed && run.standardOutput == alone.standardOutput)
        #expect(run.standardOutput.contains("LD_PRELOAD=libm.so.6\n"))
    }

    /// The loader takes the last of several entries.
    @Test func agentIsLoadedAlthoughTheEnvironmentHasTwoPreloads() async throws {
        let script = """
            import os, sys
            entries = [b"LD_PRELOAD=libdl.so.2", b"LD_PRELOAD=libm.so.6"]
            import ctypes
            words = (ctypes.c_char_p * (len(sys.argv)))(*[os.fsencode(word) for word in sys.argv[1:]], None)
            variables = (ctypes.c_char_p * 3)(*entries, None)
            ctypes.CDLL(None).execve(os.fsencode(sys.argv[1]), words, variables)
            """
        let run = try ProgramRun(
            ["-c", script, Builds.tracerServer.path, "run", "--listen", "0", "--", Builds.plainProgram.path]
                + ["surroundings"], of: URL(filePath: "/usr/bin/python3"))
        #expect(try await run.exitStatus() == 0)
        #expect(run.standardError.contains("LifetimeTracer: http://"), "\(run.standardError)")
        let shown = run.lines.filter { $0.hasPrefix("variable ") }
        #expect(shown == ["variable LD_PRELOAD=libm.so.6"], "\(shown)")
    }

    @Test func childrenFollowIfToldTo() async throws {
        let run = try await PlainRun.announced(
            ["exec", Builds.plainProgram.path, "surroundings"], .underRun(["--follow"]), times: 2)
        #expect(run.status == 0)
        #expect(run.announcements.count == 2, "\(run.announcements)")
        #expect(Set(run.announcements).count == 2, "each has its own port")
        #expect(run.standardOutput.contains("variable LIFETIME_TRACER_FOLLOW=1\n"))
    }

    @Test func takenPortIsReportedAndTheProgramGoesOn() async throws {
        let first = try ProgramRun(["run", "--listen", "0", Builds.plainProgram.path, "cycle"])
        let address = try await first.servedAddress()
        let (_, status) = try await ProgramRun.finished(
            ["run", "--listen=\(address)", "--", Builds.plainProgram.path, "exit", "3"],
            saying: "cannot listen on \(address): Address already in use")
        #expect(status == 3)
    }

    @Test func programIsFoundInPath() async throws {
        let folder = Builds.plainProgram.deletingLastPathComponent().path
        let (run, status) = try await ProgramRun.finished(
            ["run", "plain-program", "exit", "5"], environment: ["PATH": "/none:\(folder)", "LIFETIME_TRACER": "0"],
            saying: "LifetimeTracer: http://")
        #expect(status == 5)
        #expect(run.standardError.split(separator: "\n").count == 1, "one server: \(run.standardError)")
    }

    @Test func programWithTheLibraryServesItself() async throws {
        let (run, status) = try await ProgramRun.finished(
            ["run", "--listen", "0", "--", Builds.tracerServer.path, "--version"],
            saying: "\nLifetimeTracer: http://127.0.0.1:")
        #expect(status == 0)
        #expect(run.standardOutput == "tracer-server \(TracerVersion.current)\n")
        #expect(run.standardError.contains("contains LifetimeTracer itself"))
        #expect(!run.standardError.contains("agent not started"))
    }

    /// bash defines functions such as `unsetenv` itself, which the agent must not call.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash")))
    func programWithItsOwnFunctionsForVariablesStarts() async throws {
        let text = #"echo "${LD_PRELOAD-none}"; compgen -v LIFETIME_TRACER; echo "$TEXT"; exit 6"#
        let run = try ProgramRun(
            ["run", "--listen", "0", "--", "/bin/bash", "-c", text],
            environment: ["TEXT": "two words", "LIFETIME_TRACER_STACKS": "1"])
        #expect(try await run.exitStatus() == 6)
        #expect(run.standardOutput == "none\ntwo words\n")
    }

    /// The signal of the command's own child must not arrive in the program, but one that has arrived before must.
    @Test(arguments: ["none", "raised"]) func blockedSignalOfChildrenIsThatOfTheProgram(_ before: String) async throws {
        let words = ["exec-blocking", before]
        let surroundings = [Builds.plainProgram.path, "surroundings"]
        let alone = try ProgramRun(words + surroundings, of: Builds.plainProgram)
        let run = try ProgramRun(
            words + [Builds.tracerServer.path, "run", "--listen", "0", "--"] + surroundings, of: Builds.plainProgram)
        #expect(try await alone.exitStatus() == 0)
        #expect(try await run.exitStatus() == 0)
        let pending = run.lines.filter { $0.hasPrefix("pending ") }
        #expect(pending.count == 1 && pending == alone.lines.filter { $0.hasPrefix("pending ") })
    }

    @Test func programWithoutSwiftRunsWithAWarning() async throws {
        let run = try ProgramRun(["run", "--listen", "0", "/bin/sh", "-c", "echo text; exit 6"])
        #expect(try await run.exitStatus() == 6)
        #expect(run.standardOutput == "text\n")
        #expect(run.standardError.contains("\"/bin/sh\" uses no Swift library"))
    }

    @Test(.enabled("captures are not available") { await RetainPaths.availability() == .available })
    func pageFindsTheLeaksOfAnUnpreparedProgram() async throws {
        let program = try ProgramRun(["run", "--listen", "0", Builds.plainProgram.path, "cycle"])
        let address = try await program.servedAddress()
        _ = try await eventually("the program has leaked") { program.lines.first { $0 == "planted" } }
        let heap = try ProgramRun(["heap", address, "--program"])
        #expect(try await heap.exitStatus() == 0, "\(heap.standardError)")
        for type in ["PlainScreen", "PlainModel"] {
            let line = heap.lines.first { $0.hasSuffix(" \(type)") } ?? ""
            let columns = line.split(separator: " ").dropFirst()
            // No root retains a leaked object.
            #expect(columns == ["0", "3", "class", Substring(type)], "\(heap.standardOutput)")
        }
        let leaks = try ProgramRun(["leaks", address])
        #expect(try await leaks.exitStatus() == 1, "\(leaks.standardError)")
        #expect(leaks.standardOutput.contains("PlainScreen.model"), "\(leaks.standardOutput)")
        #expect(leaks.standardOutput.contains("PlainModel.screen"), "\(leaks.standardOutput)")
    }
}
