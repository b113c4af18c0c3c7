import Foundation
import LifetimeTracer
import TracerBase

/// `tracer-server check`: compares the verdicts on a running program with limits, for scripts.
enum CheckCommand {
    static let syntax = CommandSyntax(
        call: "tracer-server check",
        summary: "Compare the verdicts on a running program with limits, and report exceeded limits.",
        operands: [.server],
        options: [
            .init("--max-overdue", "N", help: "Allow N overdue instances, not counting known leaks. Default: 0."),
            .init("--max-orphaned", "N", help: "Allow N orphaned tokens. Default: 0."),
            .init("--max-over-budget", "N", help: "Allow N types and groups over their budgets. Default: 0."),
            .init("--max-broken", "N", help: "Allow N broken invariants. Default: 0."),
            .init(
                "--max-crowded", "N",
                help: "Allow N events with more tokens for one owner type than their threshold. Default: 0."),
            .init(
                "--max-growing", "N",
                help:
                    "Allow N growing types or events: instances of nearly every recent minute are left, and old ones "
                    + "hardly die, as in a leak or in a cache that is being filled. Default: 0."),
            .init(
                "--max-late", "N",
                help: "Allow N late instances since the start of the program. Default: no limit."),
            .init(
                "--max-live", "TYPE=N", isRepeatable: true,
                help:
                    "Allow N live instances of TYPE, a full type name or a type name without its module. Can be "
                    + "repeated."),
            .init(
                "--wait", "SECONDS",
                help:
                    "Retry for at most SECONDS until the server responds and all counts are within their limits. "
                    + "Default: 0, a single try."),
            .timeout, .tokenFile,
            .init(
                "--explain",
                help:
                    "If too many instances are overdue, make the server search for their retain paths, and print what "
                    + "holds the instances. The search also recognizes known leaks, which do not count."),
            .init("--json", help: "Print one JSON document instead of lines of text."),
            .init(
                "--junit", "FILE",
                help:
                    "Also write JUnit XML to FILE. If FILE is -, print the XML to standard output instead of lines of "
                    + "text."),
        ],
        exitStatuses: [
            .init(code: .success, meaning: "All counts are within their limits."),
            .init(code: .failure, meaning: "At least one count exceeds its limit."),
            .init(
                code: .unknown,
                meaning:
                    "The result is unknown: no response, an unsupported JSON version, a server other than "
                    + "LifetimeTracer, a missing access token (set LIFETIME_TRACER_TOKEN), a TYPE that has never been "
                    + "seen while no limit is exceeded, or output that cannot be written."),
            .usage,
        ],
        notes: [
            "With --wait, the command exits with status 0 as soon as all counts are within their limits. Otherwise, "
                + "the last try before the time is over determines the exit status. A TYPE that has not been seen yet "
                + "also causes a retry. An error that a retry cannot fix, such as an unsupported JSON version, ends "
                + "the command at once.",
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
        if let reason = outcome.reason { StandardStreams.printError("\(syntax.call): result unknown: \(reason)") }
        // If one output fails, the other is still written.
        let file = Result {
            if let path = options.junitPath, path != "-" {
                try write(JUnitReport(outcome: outcome).xml, to: path)
            }
        }
        try print(outcome, options)
        try file.get()
        return outcome.exitCode
    }

    private static func write(_ report: String, to path: String) throws(OutputFailure) {
        do throws(SystemError) {
            try FileReplacement.write(Array(report.utf8), to: path)
        } catch {
            throw OutputFailure(path, error)
        }
    }

    private static func print(_ outcome: CheckOutcome, _ options: CheckOptions) throws(OutputFailure) {
        if options.junitPath == "-" {
            try StandardStreams.write(JUnitReport(outcome: outcome).xml)
        } else if options.printsJSON {
            let text = String(decoding: CheckJSON(outcome: outcome).jsonBytes, as: UTF8.self)
            try StandardStreams.print(text.printableJSON)
        } else if let report = outcome.report {
            try StandardStreams.print(CheckText(report).lines.map(\.printable).joined(separator: "\n"))
        }
    }

    private static func outcome(of server: CheckedServer, _ options: CheckOptions) async -> CheckOutcome {
        let (start, clock) = (SystemClock().wallNow(), ContinuousClock())
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
