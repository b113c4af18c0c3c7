import Foundation
import TracerBase

/// `tracer-server top`: shows the types of a running program, sorted by a column.
enum TopCommand {
    static let syntax = CommandSyntax(
        call: "tracer-server top",
        summary: "Show the types of a running program with their counts, refreshed on a terminal.",
        operands: [.server],
        options: [
            .init("--sort", "COLUMN", help: "Sort by COLUMN, largest first: \(TopSort.names). Default: live."),
            .init(
                "--count", "N",
                help:
                    "Show at most N types. Default: as many as fit on the terminal, or \(TopOptions.usualCount) if the "
                    + "table is printed once."),
            .init("--interval", "SECONDS", help: "Refresh the table every SECONDS. Default: 2."),
            .init("--once", help: "Print the table once and exit, even on a terminal."),
            .timeout, .tokenFile,
        ],
        exitStatuses: [
            .init(code: .success, meaning: "The table was printed, or Control-C was pressed."),
            .init(
                code: .unknown,
                meaning:
                    "No response at the start, an unsupported JSON version, a server other than LifetimeTracer, a "
                    + "missing access token (set LIFETIME_TRACER_TOKEN), or output that cannot be written."),
            .usage,
        ],
        notes: [
            "On a terminal, the command refreshes the table until Control-C. Into a pipe or a file, the command prints "
                + "the table once.",
            "LIVE, BORN, DIED, PEAK and OVERDUE are numbers of instances. +/MIN is the increase of live instances "
                + "within the last minute, or - if the increase is not known yet. BYTES is the size of the live "
                + "instances themselves, without the objects that they refer to. Types with overdue instances are "
                + "red, and growing types are yellow, unless NO_COLOR is set.",
            "If the program stops responding after the first table, the last table stays on the screen together with "
                + "the error, and the command retries.",
            CommandSyntax.connectionNote,
        ])

    static func run(_ words: [String]) async throws -> ExitCode {
        guard case .run(let arguments) = try syntax.parse(words) else {
            try StandardStreams.print(syntax.helpText)
            return .success
        }
        let options = try TopOptions(arguments)
        let environment = ProcessInfo.processInfo.environment
        let transport = options.address.transport(timeout: options.timeout, tokenFile: options.tokenFile)
        guard !options.isOnce, TerminalScreen.isAvailable(environment) else {
            return try await printOnce(options, transport)
        }
        return try await refresh(options, transport, hasColours: (environment["NO_COLOR"] ?? "").isEmpty)
    }

    private static func printOnce(_ options: TopOptions, _ transport: any APITransport) async throws -> ExitCode {
        do {
            let look = try await TopLook(
                from: transport, sortedBy: options.sort, atMost: options.count ?? TopOptions.usualCount)
            let lines = TopTable(look).lines
            try StandardStreams.print(lines.map(\.text).joined(separator: "\n"))
            return .success
        } catch let failure as ClientFailure {
            return report(failure)
        }
    }

    /// Draws a table repeatedly, until a signal ends the program or an error is permanent.
    private static func refresh(
        _ options: TopOptions, _ transport: any APITransport, hasColours: Bool
    ) async throws -> ExitCode {
        let screen = TerminalScreen(hasColours: hasColours)
        var table: TopTable?
        var signals: TerminalSignals?
        defer {
            screen.leave()
            withExtendedLifetime(signals) {}
        }
        while true {
            let room = TerminalScreen.size.rows - TopTable.frameHeight
            do {
                let look = try await TopLook(
                    from: transport, sortedBy: options.sort, atMost: max(1, min(options.count ?? .max, room)))
                let next = TopTable(look)
                // Entered only after the first answer, so that an error at the start appears on the main screen.
                if signals == nil {
                    signals = TerminalSignals(screen)
                    screen.enter()
                }
                table = next
                try screen.draw(next.lines)
            } catch let failure as ClientFailure {
                guard let table, failure.isTemporary else {
                    screen.leave()
                    return report(failure)
                }
                try screen.draw(table.lines(sayingThat: failure))
            }
            try? await Task.sleep(for: options.interval)
        }
    }

    /// Prints the reason for a missing table and returns the exit code.
    private static func report(_ failure: ClientFailure) -> ExitCode {
        StandardStreams.printError("\(syntax.call): \(failure)")
        return .unknown
    }
}

extension TopTable {
    /// Returns the lines with a second line that says that the counts are old.
    fileprivate func lines(sayingThat failure: ClientFailure) -> [Line] {
        var lines = lines
        lines[1] = Line("\(failure); retrying; the counts are from the last response".printable, style: .overdue)
        return lines
    }
}
