import Foundation
import LifetimeTracer
import Testing
import TracerBase

/// The agent in a program that does not link the library, loaded as `LD_PRELOAD` says.
@Suite(.timeLimit(.minutes(20))) struct AgentTests {
    /// Starts of `plain-program` whose outcome must not depend on the agent.
    static let behaviours: [[String]] = [
        ["surroundings", "an argument", "--listen", ""], ["descriptors"], ["exit", "3"], ["_exit", "4"],
        ["signal", "9"], ["signal", "15"], ["close-all"], ["change-arguments"], ["fork"], ["exec", "env"],
        ["exec", Builds.plainProgram.path, "surroundings"], ["small-stack"], ["leave-main"], ["filter"],
    ]

    @Test(arguments: behaviours) func programBehavesAsWithoutTheAgent(_ words: [String]) async throws {
        let alone = try await PlainRun(words, .alone)
        let preloaded = try await PlainRun.announced(words, .preloaded)
        #expect(alone.announcements.isEmpty && preloaded.isServed, "\(preloaded.announcements)")
        #expect(preloaded.standardOutput == alone.standardOutput)
        #expect(preloaded.status == alone.status)
        #expect(preloaded.errors == alone.errors)
    }

    /// The agent has threads, so malloc takes locks; one that the signal has interrupted stays locked.
    @Test func exitInASignalHandlerThatInterruptsMallocEndsTheProgram() async throws {
        for round in 1...10 {
            let run = try ProgramRun(
                [], of: Builds.exitInHandler,
                environment: ["LD_PRELOAD": Builds.agent.path, "LIFETIME_TRACER": "0"])
            #expect(try await run.exitStatus() == 5, "round \(round)")
        }
    }

    /// The loader accepts a list, with colons or spaces, and the program sees what remains of it.
    @Test(arguments: [
        ("AGENT", nil), ("libm.so.6:AGENT", "libm.so.6"), ("AGENT:libm.so.6", "libm.so.6"),
        ("libm.so.6 AGENT libc.so.6", "libm.so.6 libc.so.6"), (":AGENT", ""),
    ]) func agentRemovesItselfFromThePreloadList(_ list: String, _ remaining: String?) async throws {
        let run = try ProgramRun(
            ["surroundings"], of: Builds.plainProgram,
            environment: [
                "LD_PRELOAD": list.replacing("AGENT", with: Builds.agent.path), "LIFETIME_TRACER": "0",
                "LIFETIME_TRACER_STACKS": "1",
            ])
        #expect(try await run.exitStatus() == 0)
        let variable = run.lines.first { $0.hasPrefix("variable LD_PRELOAD") }
        #expect(variable == remaining.map { "variable LD_PRELOAD=\($0)" })
        #expect(!run.lines.contains { $0.hasPrefix("variable LIFETIME_TRACER") })
    }

    @Test func agentWithoutAnAddressStartsNoServer() async throws {
        let run = try ProgramRun(
            ["exit", "3"], of: Builds.plainProgram, environment: ["LD_PRELOAD": Builds.agent.path])
        #expect(try await run.exitStatus() == 3)
        #expect(run.standardError == "")
    }

    @Test(arguments: ["nonsense", "0.0.0.0:0", "unix:/no/such/folder/socket"])
    func failureOfTheServerIsOneLineAndTheProgramGoesOn(_ address: String) async throws {
        let (run, status) = try await ProgramRun.finished(
            ["exit", "3"], of: Builds.plainProgram,
            environment: ["LD_PRELOAD": Builds.agent.path, "LIFETIME_TRACER": address],
            saying: "LifetimeTracer: server not started")
        #expect(status == 3)
        #expect(run.standardError.hasPrefix("LifetimeTracer: server not started"))
        #expect(run.standardError.split(separator: "\n").count == 1, "\(run.standardError)")
    }

    /// The start reads most of the agent's code once, and hardly any of it is needed again.
    @Test func codeThatTheStartHasReadLeavesTheMemory() async throws {
        let run = try ProgramRun(["run", "--listen", "0", Builds.plainProgram.path, "wait"])
        _ = try await run.servedAddress()
        let maps = "/proc/\(run.processID)/smaps"
        _ = try await eventually("most of the code has left the memory") {
            // Foundation reads only the first page of such a file.
            let text = String(decoding: try OpenFile(maps).bytes(atMost: 4 << 20), as: UTF8.self)
            let lines = text.split(separator: "\n")
            let code = lines.drop { !$0.contains(" r-xp ") || !$0.hasSuffix("libTracerAgent.so") }
            func number(_ name: String) -> Int? {
                code.first { $0.hasPrefix(name) }?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
            }
            guard let resident = number("Rss:"), let size = number("Size:") else { return Bool?.none }
            return resident * 2 < size ? true : nil
        }
    }

    /// tracer-server links the library.
    @Test func agentStepsAsideForTheLibraryInTheProgram() async throws {
        let (run, status) = try await ProgramRun.finished(
            ["--version"], environment: ["LD_PRELOAD": Builds.agent.path, "LIFETIME_TRACER": "0"],
            saying: "LifetimeTracer: http://")
        #expect(status == 0)
        #expect(run.standardOutput == "tracer-server \(TracerVersion.current)\n")
        let lines = run.standardError.split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("LifetimeTracer: http://") } == 1, "\(lines)")
        #expect(
            lines.count { $0.hasPrefix("LifetimeTracer: agent not started: the program contains LifetimeTracer") } == 1,
            "\(lines)")
    }
}
