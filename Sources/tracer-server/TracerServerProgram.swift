import Dispatch
import LifetimeTracer
import TracerBase

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The program's entry point, which finds the command and runs it.
@main
struct TracerServerProgram {
    static func main() {
        let closedStreams = StandardStreams.reserveDescriptors()
        refuseMissingProcessFiles()
        let words = Array(CommandLine.arguments.dropFirst())
        // On the first thread, before there are others: the program that replaces this one inherits that thread's
        // signal mask, and threads of Dispatch block signals.
        if words.first == RunCommand.name {
            exitCode { try RunCommand.run(Array(words.dropFirst()), closedStreams: closedStreams) }.end()
        }
        refuseShortageOfMemory()
        Task { await run(words).end() }
        dispatchMain()
    }

    /// Ends the program on a system without /proc.
    ///
    /// Swift reads the command line from there. Without it, the command line would be empty, and the message about that
    /// would mislead.
    private static func refuseMissingProcessFiles() {
        #if os(Linux)
        let file = "/proc/self/cmdline"
        guard access(file, R_OK) != 0 else { return }
        StandardStreams.printError(
            "\(name): \(file) cannot be read: \(SystemError.last). This program reads its command line from /proc, and "
                + "searches read the memory map of the traced program from there. "
                + "Mount /proc: mount -t proc proc /proc")
        ExitCode.usage.end()
        #endif
    }

    /// Ends the program if it has too little memory for its threads.
    ///
    /// Dispatch and Swift's tasks wait forever if they cannot start a thread.
    private static func refuseShortageOfMemory() {
        ProcessLimits.shareHeapAmongThreads()
        guard !ProcessLimits.hasRoom(forThreads: neededThreads, leaving: 8 << 20) else { return }
        StandardStreams.printError(
            "\(name): there is too little memory for the \(neededThreads) threads of this program. "
                + ProcessLimits.memory)
        ExitCode.unknown.end()
    }

    /// The threads of the demo while it takes a capture of the heap, as counted on two processors.
    private static let neededThreads = 12

    /// Runs a command line and returns the exit code.
    static func run(_ words: [String]) async -> ExitCode {
        do {
            guard let first = words.first else {
                throw UsageError(call: name, problem: "missing command; known commands: \(commandNames)")
            }
            let rest = Array(words.dropFirst())
            switch first {
            case "demo":
                return try await DemoCommand.run(rest)
            case "check":
                return try await CheckCommand.run(rest)
            case "why":
                return try await WhyCommand.run(rest)
            case "top":
                return try await TopCommand.run(rest)
            case "heap":
                return try await HeapCommand.run(rest)
            case "leaks":
                return try await LeaksCommand.run(rest)
            case "tasks":
                return try await TasksCommand.run(rest)
            case "--help":
                try refuse(rest, after: first)
                try StandardStreams.print(helpText)
            case "--version":
                try refuse(rest, after: first)
                try StandardStreams.print("\(name) \(TracerVersion.current)")
            default:
                let kind = first.hasPrefix("-") ? "option" : "command"
                throw UsageError(
                    call: name,
                    problem: "unknown \(kind) \"\(first)\"; known commands: \(commandNames); "
                        + "known options: --help, --version")
            }
            return .success
        } catch {
            return exitCode(of: error)
        }
    }

    private static func exitCode(of body: () throws -> ExitCode) -> ExitCode {
        do {
            return try body()
        } catch {
            return exitCode(of: error)
        }
    }

    /// Prints an error and returns its exit code.
    private static func exitCode(of error: any Error) -> ExitCode {
        if let error = error as? UsageError {
            StandardStreams.printError("\(error)")
            return .usage
        }
        StandardStreams.printError("\(name): \(error)")
        return .unknown
    }

    private static func refuse(_ words: [String], after option: String) throws(UsageError) {
        guard let word = words.first else { return }
        throw UsageError(call: name, problem: "unexpected argument \"\(word)\" after \(option)")
    }

    /// The help text of the program.
    static var helpText: String {
        let column = (commands.map(\.call.count).max() ?? 0) + 4
        let rows = commands.map { command in
            "  " + command.call + String(repeating: " ", count: column - command.call.count - 2) + command.summary
        }
        return """
            usage: \(name) COMMAND …
                   \(name) --help | --version

            Show which objects of a running program are live, and which should have been deallocated.

            commands:
            \(rows.joined(separator: "\n"))

            Run "\(name) COMMAND --help" for the arguments and options of a command.
            """
    }

    private static let name = "tracer-server"
    static let commands = [
        RunCommand.syntax, DemoCommand.syntax, CheckCommand.syntax, WhyCommand.syntax, TopCommand.syntax,
        HeapCommand.syntax, LeaksCommand.syntax, TasksCommand.syntax,
    ]

    private static var commandNames: String {
        commands.map { $0.call.dropFirst(name.count + 1) }.joined(separator: ", ")
    }
}
