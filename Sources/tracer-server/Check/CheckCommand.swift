import Foundation

/// `tracer-server check`: compares the verdicts on a running program with limits, for scripts.
enum CheckCommand {
    static let syntax = CommandSyntax(
        call: "tracer-server check",
        summary: "Compares the verdicts on a running program with limits, and prints which are over.",
        operands: [.server],
        options: [
            .init("--max-overdue", "N", help: "Allow N overdue instances; known leaks do not count. 0 unless given."),
            .init("--max-orphaned", "N", help: "Allow N orphaned tokens. 0 unless given."),
            .init("--max-over-budget", "N", help: "Allow N types and groups over their budgets. 0 unless given."),
            .init("--max-broken", "N", help: "Allow N broken invariants. 0 unless given."),
            .init(
                "--max-crowded", "N",
                help: "Allow N events with more tokens for one owner type than their threshold. 0 unless given."),
            .init(
                "--max-growing", "N",
                help:
                    "Allow N types whose live instances grew over the last minutes and never fell, such as a cache "
                    + "that is being filled. 0 unless given."),
            .init(
                "--max-late", "N",
                help: "Allow N instances that went late since the program started. No limit unless given."),
            .init(
                "--max-live", "TYPE=N", isRepeatable: true,
                help:
                    "Allow N live instances of a type. TYPE is its full name, or the name alone. Can be given more "
                    + "than once."),
            .init(
                "--wait", "SECONDS",
                help:
                    "Keep trying for so long until the server answers and everything is within its limit. 0 unless "
                    + "given: one try."),
            .timeout, .tokenFile,
            .init(
                "--explain",
                help:
                    "Where too much is overdue, have the server search who holds it, and print that. The search also "
                    + "finds known leaks, which do not count."),
            .init("--json", help: "Print one JSON document instead of lines."),
            .init("--junit", "FILE", help: "Write JUnit XML to a file as well; to standard output instead for -."),
        ],
        notes: [
            "Ends with 0 when everything is within its limit, 1 when something is over, 2 when it cannot tell: no "
                + "answer, a wrong version, not LifetimeTracer, no access token where one is needed (set "
                + "LIFETIME_TRACER_TOKEN), a TYPE that has never been seen while nothing else is over, or output "
                + "that cannot be written; 64 when the command line cannot be understood.",
            "With --wait it ends with 0 as soon as everything is within its limit, and otherwise, when the time is "
                + "over, with what the last try found. A TYPE that has not been seen yet is waited for. What no "
                + "waiting can mend, such as a wrong version, ends it at once.",
            CommandSyntax.connectionNote,
        ])

    /// The time between two tries.
    private static let pace = Duration.milliseconds(250)

    static func run(_ words: [String]) async throws -> ExitCode {
        guard case .run(let arguments) = try syntax.parse(words) else {
            try StandardStreams.print(syntax.helpText)
            return .success
        }
        let options = try CheckOptions(arguments)
        let server = CheckedServer(
            address: options.address,
            transport: options.address.transport(timeout: options.timeout, tokenFile: options.tokenFile))
        let outcome = await outcome(of: server, options)
        if let reason = outcome.reason { StandardStreams.printError("\(syntax.call): cannot tell: \(reason)") }
        // If one output fails, the other is still written.
        let file = Result {
            if let path = options.junitPath, path != "-" {
                try ReportFile.write(JUnitReport(outcome: outcome).xml, to: path)
            }
        }
        try print(outcome, options)
        try file.get()
        return outcome.exitCode
    }

    private static func print(_ outcome: CheckOutcome, _ options: CheckOptions) throws(OutputFailure) {
        if options.junitPath == "-" {
            try StandardStreams.write(JUnitReport(outcome: outcome).xml)
        } else if options.printsJSON {
            let text = String(decoding: CheckJSON(outcome: outcome).jsonBytes, as: UTF8.self)
            try StandardStreams.print(text.harmlessJSON)
        } else if let report = outcome.report {
            try StandardStreams.print(CheckText(report).lines.map(\.harmless).joined(separator: "\n"))
        }
    }

    private static func outcome(of server: CheckedServer, _ options: CheckOptions) async -> CheckOutcome {
        let (start, clock) = (Date(), ContinuousClock())
        let started = clock.now
        let result: Result<CheckReport, ClientFailure>
        do throws(ClientFailure) {
            result = .success(try await report(on: server, options))
        } catch {
            result = .failure(error)
        }
        return CheckOutcome(result, of: options.address, at: start, took: clock.now - started)
    }

    /// Repeats the check until all counts are within their limits or the time is over, and returns or throws the last
    /// result.
    static func report(
        on server: CheckedServer, _ options: CheckOptions
    ) async throws(ClientFailure) -> CheckReport {
        let clock = ContinuousClock()
        let end = clock.now + options.wait
        while true {
            let isLast = clock.now + pace > end
            do throws(ClientFailure) {
                let report = CheckReport(try await server.look(for: options), options)
                if report.isWithin || isLast { return report }
            } catch {
                if !error.isTemporary || isLast { throw error }
            }
            try? await Task.sleep(for: pace)
        }
    }
}
