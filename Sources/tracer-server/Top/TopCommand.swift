import Foundation

/// `tracer-server top`: shows the types of a running program, sorted by a column.
enum TopCommand {
    static let syntax = CommandSyntax(
        call: "tracer-server top",
        summary: "Shows the types of a running program with their counts, refreshed on a terminal.",
        operands: [.server],
        options: [
            .init("--sort", "COLUMN", help: "What to sort by: \(TopSort.names). live unless given; largest first."),
            .init(
                "--count", "N",
                help:
                    "Show N types at most. Unless given, as many as fit on the terminal, \(TopOptions.usualCount) "
                    + "elsewhere."),
            .init("--interval", "SECONDS", help: "Look again after so long. 2 unless given."),
            .init("--once", help: "Print one table and end, on a terminal as well."),
            .timeout, .tokenFile,
        ],
        notes: [
            "On a terminal the table is refreshed until Control-C. Written to a pipe or a file it is printed once.",
            "LIVE, BORN, DIED and PEAK are counts of instances; +/MIN is how many more are live than a minute ago, "
                + "- while that is not known; OVERDUE counts overdue instances; BYTES are those of the live "
                + "instances without what they refer to. Types with overdue instances are red, those that grew "
                + "yellow, unless NO_COLOR is set.",
            "When a program that was shown stops answering, the last table stays, a line says so, and top keeps "
                + "trying.",
            "Ends with 0, and with 2 when there is no answer at the start, a wrong version, not LifetimeTracer, no "
                + "access token where one is needed (set LIFETIME_TRACER_TOKEN), or output that cannot be written; "
                + "64 when the command line cannot be understood.",
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
            return cannotTell(failure)
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
                    return cannotTell(failure)
                }
                try screen.draw(table.lines(sayingThat: failure))
            }
            try? await Task.sleep(for: options.interval)
        }
    }

    private static func cannotTell(_ failure: ClientFailure) -> ExitCode {
        StandardStreams.printError("\(syntax.call): cannot tell: \(failure)")
        return .unknown
    }
}

extension TopTable {
    /// Returns the lines with a second line that says that the counts are old.
    fileprivate func lines(sayingThat failure: ClientFailure) -> [Line] {
        var lines = lines
        lines[1] = Line(text: "\(failure), trying again; the counts are the last ones".harmless, style: .overdue)
        return lines
    }
}
