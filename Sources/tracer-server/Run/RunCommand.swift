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

/// `tracer-server run`: starts a program with the dashboard inside it.
enum RunCommand {
    static let name = "run"

    static let syntax = CommandSyntax(
        call: "tracer-server run",
        summary: "Start a Swift program, unchanged, with the dashboard inside it.",
        operands: [
            .init(name: "PROGRAM", help: "The program: a path, or a name that is searched for in PATH.")
        ],
        rest: .init(name: "[ARGUMENT]…", help: "The arguments of the program, passed on unchanged."),
        options: [
            .init(
                "--listen", "ADDRESS",
                help:
                    "Listen on ADDRESS: 8089, :8089, 127.0.0.1:8089, [::1]:8089 or unix:PATH. Port 0 selects a free "
                    + "port. Default: LIFETIME_TRACER, else 127.0.0.1:8089, or 127.0.0.1:0 with --follow."),
            .init(
                "--no-classes",
                help: "Do not trace the program's classes: the page shows the heap, its leaks and the process alone."),
            .init(
                "--rules", "FILE",
                help:
                    "Read rules from FILE: budgets and maximum ages of types, groups, types to leave out, known leaks, "
                    + "and expected growth."),
            .init("--stacks", help: "Record where each object was created, at a higher cost."),
            .init(
                "--follow",
                help:
                    "Start the program's child processes with the dashboard, too, each at an address of its own. "
                    + "Without this option, they start as if the program had been started by itself."),
            .init(
                "--fail-on-leaks",
                help:
                    "Search for leaks when the program exits, print them, and end with status 3 if any is not a known "
                    + "leak. For tests of whole programs, in CI."),
            .init(
                "--report", "FILE",
                help:
                    "Search for leaks when the program exits, print them, and write them to FILE, as JSON. Without "
                    + "--fail-on-leaks, the exit status is the program's."),
            .init("--known-leaks", "FILE", help: "Read known leaks with their reasons from FILE."),
            .init(
                "--search-limit", "SECONDS",
                help: "Give the work at the exit of the program up after SECONDS. Default: 60."),
            .init(
                "--summary",
                help:
                    "When the program exits, print its live objects by type, the verdicts and what is growing, on "
                    + "standard error."),
            .init(
                "--stay",
                help:
                    "When the program exits, keep it and its page until Control-C, SIGINT or SIGTERM. The exit status "
                    + "is then the program's."),
        ],
        exitStatuses: [
            .init(
                code: .unknown,
                meaning:
                    "With --fail-on-leaks, the program ended with 0, but leaks were not searched for, or the report "
                    + "could not be written; standard error has the reason."),
            .init(
                code: .leaks,
                meaning: "With --fail-on-leaks, the program ended with 0, and has leaks that are not known."),
            .init(
                code: .usage,
                meaning: "The command line is invalid, or the program was not started; standard error has the reason."),
        ],
        notes: [
            "Otherwise the exit status is the program's. This command is replaced by the program, so that process id, "
                + "signals, standard streams and working directory are the program's own.",
            "With --fail-on-leaks or --report, this command waits for the program instead, passes signals on, and ends "
                + "as the program does, also by the same signal. A program that fails keeps its status, so that its "
                + "failure is not hidden. Leaks are searched for when the program calls exit or returns from main. "
                + "After _exit, exec, a crash or a signal, nothing was searched.",
            "The program prints the address of the page on standard error. If the server cannot start, for example "
                + "because the port is taken, the program prints the reason and runs on.",
            "All classes of the program and of its own libraries are traced. If the Swift runtime is not as expected, "
                + "they are not, and the page says why; the heap and its leaks are shown in any case.",
            "The agent, \(AgentFile.name), is the library that is added to the program. It must be in the folder of "
                + "tracer-server or in ../lib. The program must be linked dynamically, with the same version of Swift "
                + "as the agent.",
            "LIFETIME_TRACER_TOKEN, LIFETIME_TRACER_TOKEN_FILE, LIFETIME_TRACER_HOSTS, LIFETIME_TRACER_KNOWN_LEAKS, "
                + "LIFETIME_TRACER_RULES and LIFETIME_TRACER_LIMITS have the same effect as in programs that link "
                + "LifetimeTracerServer.",
        ])

    /// Replaces this process with the program; returns only if that is not possible.
    ///
    /// Must be called on the first thread.
    ///
    /// - Parameter closedStreams: The standard streams to close again, because the caller has not opened them.
    static func run(_ words: [String], closedStreams: [Int32]) throws -> ExitCode {
        guard case .run(let arguments) = try syntax.parse(words) else {
            try StandardStreams.print(syntax.helpText)
            return .success
        }
        let options = try RunOptions(arguments, environment: getenv("LIFETIME_TRACER").map { String(cString: $0) })
        do throws(RunRefusal) {
            let path = try ProgramPath.find(options.program, in: getenv("PATH").map { String(cString: $0) })
            let agent = try AgentFile.find()
            let examination = try ProgramExamination(
                of: path, machine: agent.machine, runtime: SwiftRuntime.ofThisProcess())
            for warning in examination.warnings { StandardStreams.printError("\(syntax.call): \(warning)") }
            try check(options, usesAgent: examination.usesAgent)
            let record = try options.searchesAtExit ? ExitRecord.create() : nil
            RunEnvironment.set(
                agent: examination.usesAgent ? agent.path : nil, record: record?.descriptor, options)
            // The words themselves, because texts of Swift would change bytes that are no UTF-8.
            let program = CommandLine.unsafeArgv + (Int(CommandLine.argc) - options.argumentCount - 1)
            let error =
                record.map {
                    SupervisedRun(options: options, record: $0)
                        .replaceThisProcess(with: path, program, closing: closedStreams)
                } ?? replaceThisProcess(with: path, program, closing: closedStreams)
            throw RunRefusal("\"\(path)\" cannot be started: \(error)")
        } catch {
            StandardStreams.printError("\(syntax.call): \(error)")
            return .usage
        }
    }

    /// The bytes of stack with which the agent starts on the first thread, in any build: 96 KB, and a reserve.
    private static let leastStack: UInt64 = 256 << 10

    /// Refuses options that could have no effect at the exit of the program, and a limit with which the agent would
    /// fail.
    private static func check(_ options: RunOptions, usesAgent: Bool) throws(RunRefusal) {
        guard usesAgent || !options.worksAtExit else {
            throw RunRefusal(
                "--fail-on-leaks, --report, --stay and --summary need the agent, which cannot join "
                    + "\"\(options.program)\"; leave these options out, or query its own page with tracer-server leaks")
        }
        if usesAgent, let stack = ProcessLimits.stack, stack < leastStack {
            throw RunRefusal(
                "the agent needs a stack of \(leastStack >> 10) KB, and the limit is \(stack >> 10) KB; raise the "
                    + "limit (ulimit -s, LimitSTACK= of systemd)")
        }
        if let report = options.report, let error = FileReplacement.obstacle(to: report) {
            throw RunRefusal("the report cannot be written to \"\(report)\": \(error)")
        }
        if let file = file(options.knownLeaks, "LIFETIME_TRACER_KNOWN_LEAKS", options) {
            do throws(KnownLeaksError) {
                _ = try KnownLeaks(contentsOf: file)
            } catch {
                throw RunRefusal("known leaks file, \(error)")
            }
        }
        if let file = file(options.rules, "LIFETIME_TRACER_RULES", options) {
            do throws(RulesError) {
                _ = try Rules(contentsOf: file)
            } catch {
                throw RunRefusal("rules file, \(error)")
            }
        }
    }

    /// The file that must be valid: that of an option, or that of a variable if it decides on known leaks at exit.
    private static func file(_ option: String?, _ variable: String, _ options: RunOptions) -> String? {
        let inherited = options.searchesAtExit ? getenv(variable).map { String(cString: $0) } : nil
        return (option ?? inherited).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns only if the system refuses.
    private static func replaceThisProcess(
        with path: String, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, closing streams: [Int32]
    ) -> SystemError {
        // Closed by the system if the program starts, so that a failure can still be reported.
        for stream in streams { _ = fcntl(stream, F_SETFD, FD_CLOEXEC) }
        execve(path, words, environ)
        return .last
    }
}
