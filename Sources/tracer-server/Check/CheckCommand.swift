/// `tracer-server check`: compares a running program with limits, for scripts.
enum CheckCommand {
    static let syntax = CommandSyntax(
        call: "tracer-server check",
        summary: "Compares what a running program shows with limits, and prints what is over.",
        operands: [.init(name: "URL", help: "The server: http://HOST:PORT/ or unix:PATH.")],
        options: [
            .init("--max-overdue", "N", help: "So many overdue instances are fine. 0 unless given."),
            .init("--max-orphaned", "N", help: "So many orphaned tokens are fine. 0 unless given."),
            .init(
                "--max-live", "TYPE=N", isRepeatable: true,
                help:
                    "So many live instances of a type are fine. TYPE is its full name, or the name alone. Can be given "
                    + "more than once."),
            .init(
                "--wait", "SECONDS",
                help:
                    "Keep trying for so long until the server answers, and until everything is within. 0 unless given: "
                    + "one try."),
            .init(
                "--explain",
                help:
                    "Where too much is overdue, have it searched who holds it, and print that. It also tells known leaks, "
                    + "which do not count."),
        ],
        notes: [
            "Ends with 0 when everything is within its limit, 1 when something is over, 2 when it cannot tell: nobody answers, "
                + "a wrong version, not LifetimeTracer, no token where one is needed (set LIFETIME_TRACER_TOKEN), or a TYPE "
                + "that has never been seen while nothing else is over; 64 when the command line cannot be understood.",
            "With --wait it ends with 0 as soon as everything is within, and otherwise, when the time is over, with what the "
                + "last try found. A TYPE that has not been seen yet is waited for. What no waiting can mend, such as a wrong version, ends it at once.",
        ])

    /// How long between two tries.
    private static let pace = Duration.milliseconds(250)

    static func run(_ words: [String]) async throws(UsageError) -> ExitCode {
        guard case .run(let arguments) = try syntax.parse(words) else {
            StandardStreams.print(syntax.helpText)
            return .success
        }
        let options = try CheckOptions(arguments)
        do throws(CheckFailure) {
            let report = try await report(on: CheckedServer(transport: options.target.transport), options)
            for line in report.lines { StandardStreams.print(line.harmless) }
            if report.isOver { return .failure }
            guard report.unknownTypes.isEmpty else {
                let names = report.unknownTypes.joined(separator: ", ")
                throw CheckFailure.unknownTypes(names)
            }
            return .success
        } catch {
            StandardStreams.printError("\(syntax.call): cannot tell: \(error)")
            return .unknown
        }
    }

    /// Looks until everything is within or the time is over, and returns or throws what the last look gave.
    static func report(
        on server: CheckedServer, _ options: CheckOptions
    ) async throws(CheckFailure) -> CheckReport {
        let clock = ContinuousClock()
        let end = clock.now + options.wait
        while true {
            let isLast = clock.now + pace > end
            do throws(CheckFailure) {
                let report = CheckReport(try await server.look(for: options), options)
                if report.isWithin || isLast { return report }
            } catch {
                if !error.isTemporary || isLast { throw error }
            }
            try? await Task.sleep(for: pace)
        }
    }
}
