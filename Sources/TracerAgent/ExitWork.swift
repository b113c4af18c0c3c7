import CTracerAgent
import CTracerSystem
import LifetimeTracer
import LifetimeTracerDashboard
import LifetimeTracerServer
import RetainPaths
import TracerBase

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The agent's work at the exit of the program: a search for leaks, a summary, and the page that stays open.
///
/// The work runs on a thread that waits from the start on, so that it does not depend on what the exiting thread was
/// doing. The exit goes on after a limited time in any case. Nothing is planned unless `tracer-server run` asks for it.
struct ExitWork: Sendable {
    /// The limit if the variable has no value.
    private static let standardLimit: Int64 = 60_000
    /// The milliseconds for which the announcement of the page waits for the supervisor, which may be stopped.
    private static let printingLimit: CInt = 2_000

    /// The shared memory; `nil` if no search is planned.
    ///
    /// A word instead of a pointer, because pointers are not Sendable. The memory stays mapped until the process ends.
    private let record: UInt?
    private let stays: Bool
    private let printsSummary: Bool
    private let limit: Int64
    private let knownLeaksFile: String?

    /// Reads the variables; `nil` if there is nothing to do at exit.
    ///
    /// Call it before the program opens files, because it frees the descriptor that the program has inherited.
    static func ofEnvironment() -> ExitWork? {
        let descriptor = value(of: .exitRecord).flatMap { CInt($0) }
        let record = descriptor.flatMap { lt_exit_record_open($0) }
        // A program that this one starts has neither the memory nor the supervisor.
        lt_agent_remove_variable(RunVariable.exitRecord.rawValue)
        let stays = value(of: .stay) == "1"
        let printsSummary = value(of: .summary) == "1"
        guard record != nil || stays || printsSummary else { return nil }
        return ExitWork(
            record: record.map { UInt(bitPattern: $0) }, stays: stays, printsSummary: printsSummary,
            limit: value(of: .exitLimit).flatMap { Int64($0) } ?? standardLimit,
            knownLeaksFile: value(of: .knownLeaks))
    }

    /// Registers the exit handler, and starts the thread.
    ///
    /// Call it after the start of the server, whose own exit handler must run later, and after the rules were read.
    func plan() {
        guard lt_agent_plan_exit(memory, limit) else {
            return refuse("the program has no constructors, before which the agent could register an exit handler")
        }
        // Read before the program can change its folder or the file.
        let knownLeaks = readKnownLeaks()
        do throws(ThreadError) {
            try ServerThread.start(named: "tracer-exit") { run(knownLeaks) }.detach()
        } catch {
            // The exit must not wait for a thread that does not exist.
            lt_agent_end_exit_work(false)
            refuse("\(error)")
        }
    }

    private var memory: OpaquePointer? { record.flatMap { OpaquePointer(bitPattern: $0) } }

    private func run(_ knownLeaks: Result<KnownLeaks, any Error>) {
        let status = lt_agent_await_exit()
        if let memory { search(knownLeaks, into: memory) }
        if printsSummary {
            let lines = SummaryText(of: .shared, tracing: .current).lines
            StandardError.write("LifetimeTracer: \(lines.joined(separator: "\n"))\n")
        }
        // A short program can end before its server has started.
        let url = stays ? Autostart.server(waitingAtMost: .milliseconds(limit))?.url : nil
        lt_agent_end_exit_work(url != nil)
        guard let url else { return }
        // The supervisor prints the leaks when it is woken, not when the page is closed.
        if let memory, getppid() == lt_exit_record_creator(memory) {
            kill(getppid(), SIGCHLD)
            // The announcement of the page would otherwise often precede the leaks.
            lt_exit_record_await_change(memory, LT_EXIT_SEARCHED, Self.printingLimit)
        }
        StandardError.writeLine(
            "the program has ended with status \(status & 0xFF); the page stays at \(url) until Control-C, SIGINT or "
                + "SIGTERM")
        // Otherwise the last output would appear when the page is closed. Nobody waits for this call, because another
        // thread may hold the lock of a stream for good.
        fflush(nil)
    }

    private func search(_ knownLeaks: Result<KnownLeaks, any Error>, into memory: OpaquePointer) {
        do {
            var options = RetainPaths.Options()
            options.timeout = .milliseconds(limit)
            options.knownLeaks = try knownLeaks.get()
            let leaks = try HeapGraph.findLeaksBlocking(options: options)
            if let obstacle = leaks.obstacle { return fail(obstacle, memory) }
            // Libraries may have leaks of their own.
            let report = HeapGraph.LeakReport(
                leaks.cycles.filter(\.isOfProgram), uncertain: leaks.uncertain.filter(\.isOfProgram))
            guard !report.unknown.isEmpty || leaks.leftOutCycles == 0 && leaks.notCompared == 0 else {
                return fail(
                    "the search is incomplete: \(leaks.leftOutCycles.counted("leak")) not listed, "
                        + "\(leaks.notCompared.counted("object")) not compared", memory)
            }
            let json = WireLeakSearch.json(leaks, unknown: report.unknownCount, atMost: Int(LT_EXIT_JSON_LIMIT))
            Self.write(report.unknownCount, Self.text(report), json, to: memory)
            lt_exit_record_change_state(memory, LT_EXIT_SEARCHING, LT_EXIT_SEARCHED)
        } catch {
            fail("\(error)", memory)
        }
    }

    /// The report in words, as the test kit has them.
    private static func text(_ report: HeapGraph.LeakReport) -> String {
        var parts = report.knownLines
        if !report.unknown.isEmpty {
            let expected = "Expected: \(HeapGraph.LeakReport.expectation(of: subject))."
            parts.append(([report.headline(of: subject), expected] + report.pathLines).joined(separator: "\n"))
        }
        parts += report.uncertainLine.map { ["\($0) The option --report lists them."] } ?? []
        return parts.map { part in
            let lines = part.split(separator: "\n").map { String($0).printable }
            return "LifetimeTracer: \(lines.joined(separator: "\n"))\n"
        }.joined()
    }

    private static let subject = "the program"

    private func fail(_ reason: String, _ memory: OpaquePointer) {
        Self.write(0, reason, [], to: memory)
        lt_exit_record_change_state(memory, LT_EXIT_SEARCHING, LT_EXIT_FAILED)
    }

    /// States why there will be no work at the exit.
    private func refuse(_ reason: String) {
        guard let memory else { return StandardError.writeLine("no work at the exit of the program: \(reason)") }
        Self.write(0, reason, [], to: memory)
        lt_exit_record_change_state(memory, LT_EXIT_UNPLANNED, LT_EXIT_FAILED)
    }

    private static func write(_ leaks: Int, _ text: String, _ json: [UInt8], to memory: OpaquePointer) {
        let text = Array(text.utf8)
        lt_exit_record_write(memory, UInt64(leaks), text, text.count, json, json.count)
    }

    /// The known leaks of the rules and of the file of known leaks.
    private func readKnownLeaks() -> Result<KnownLeaks, any Error> {
        Result {
            let leaks = EnvironmentRules.inForce?.knownLeaks ?? KnownLeaks()
            guard let knownLeaksFile, !knownLeaksFile.isEmpty else { return leaks }
            return leaks.adding(try KnownLeaks(contentsOf: knownLeaksFile))
        }
    }

    private static func value(of variable: RunVariable) -> String? {
        lt_environment_of_caller(variable.rawValue).map { String(cString: $0) }
    }
}
