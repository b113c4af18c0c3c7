import Testing

/// A crash of a program under `run`, compared with the same crash without the agent.
@Suite(.timeLimit(.minutes(20))) struct RunCrashTests {
    @Test(arguments: [["trap"], ["trap", "in-deinit"]])
    func crashKeepsItsSignalAndItsStack(_ words: [String]) async throws {
        let alone = try await PlainRun(words, .alone)
        let run = try await PlainRun(words, .underRun(["--listen", "0"]))
        #expect(run.status == alone.status && run.status < 0)
        #expect(alone.errors.first?.contains("Fatal error: Index out of range") == true, "\(alone.errors)")
        #expect(run.errors.contains(alone.errors.first ?? ""))
        #expect(!run.errors.contains { $0.contains("failed to suspend") }, "\(run.errors)")
        let frames = stackOfTheCrash(in: alone)
        #expect(frames.contains { $0.contains(" static Crash.trap() + ") }, "\(alone.errors)")
        #expect(frames.contains { $0.contains(".deinit + ") } == words.contains("in-deinit"), "\(frames)")
        #expect(frames.last?.contains(" plain_program_main + ") == true, "\(frames)")
        #expect(stackOfTheCrash(in: run) == frames)
    }

    /// Until a thread runs, the C library blocks all signals, and Swift's crash reporter cannot suspend the thread.
    ///
    /// The runs keep each other from the processors, so that new threads run late. Each backtrace takes seconds of a
    /// processor, so that more runs would hold up other tests.
    @Test func crashAtTheStartFindsTheThreadsOfTheAgentRunning() async throws {
        let runs = try await withThrowingTaskGroup(of: PlainRun.self) { group in
            for _ in 0..<4 {
                group.addTask { try await PlainRun(["signal", "6"], .underRun(["--listen", "0", "--fail-on-leaks"])) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for run in runs {
            #expect(run.errors.contains { $0.hasPrefix("Thread 0 ") && $0.hasSuffix(" crashed:") })
            #expect(!run.errors.contains { $0.contains("failed to suspend") }, "\(run.errors.prefix(4))")
        }
    }

    /// The frames of the thread that has crashed, with functions, offsets, libraries and lines, but without addresses.
    private func stackOfTheCrash(in run: PlainRun) -> [String] {
        let thread = run.errors.drop { !($0.hasPrefix("Thread ") && $0.hasSuffix(" crashed:")) }
        return thread.dropFirst().prefix { $0.first == " " }
            .map { $0.split(separator: " ").filter { !$0.hasPrefix("0x") }.joined(separator: " ") }
    }
}
