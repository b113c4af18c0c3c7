import TracerBase

/// `tracer-server leaks`: finds the leaks of a running program.
enum LeaksCommand {
    static let syntax = CommandSyntax(
        call: "tracer-server leaks",
        summary: "Find the objects of a running program that nothing uses and cycles keep, traced or not.",
        operands: [.server],
        options: [
            .init(
                "--count", "N",
                help:
                    "Print at most N leaks, from 1 to \(TracerAPI.pageLimit). Default: \(LeaksOptions.usualCount), and "
                    + "\(TracerAPI.pageLimit) with --json."),
            .init("--json", help: "Print the server's JSON document."),
            .init("--timeout", "SECONDS", help: "Wait at most SECONDS for the capture. Default: 60."),
            .tokenFile,
        ],
        exitStatuses: [
            .init(code: .success, meaning: "There are no leaks, or all of them are known."),
            .init(
                code: .failure,
                meaning:
                    "There are leaks that are not known, or more different leaks than can be listed. Objects that may "
                    + "be in use do not count."),
            .init(
                code: .unknown,
                meaning:
                    "No result: no response, no result in time, another capture is running, limits of memory or time "
                    + "that do not suffice, too many objects to compare, an unsupported JSON version, a server other "
                    + "than LifetimeTracer, a missing access token (set LIFETIME_TRACER_TOKEN), a program in which "
                    + "captures are not available, or output that cannot be written."),
            .usage, .interrupted, .terminated,
        ],
        notes: [
            "Each run takes a new capture. The program keeps running, because the search is made in frozen copies of "
                + "the process. The command prints progress to standard error.",
            "Objects that may be leaked, but may also be in use out of sight of the search, are printed last and do "
                + "not count.",
            CommandSyntax.connectionNote,
        ])

    static func run(_ words: [String]) async throws -> ExitCode {
        guard case .run(let arguments) = try syntax.parse(words) else {
            try StandardStreams.print(syntax.helpText)
            return .success
        }
        let options = try LeaksOptions(arguments)
        let requestTimeout = min(options.timeout.duration, .seconds(SocketTransport.usualTimeout))
        let transport = options.address.transport(timeout: requestTimeout, tokenFile: options.tokenFile)
        return try await syntax.printAnswer { tell throws(ClientFailure) in
            try await answer(options, transport, telling: tell)
        }
    }

    /// Takes a capture and returns the text to print, and the exit code.
    ///
    /// - Parameter tell: Called with each step of the capture, in words.
    static func answer(
        _ options: LeaksOptions, _ transport: any APITransport, telling tell: (String) -> Void
    ) async throws(ClientFailure) -> (text: String, code: ExitCode) {
        let summary = try await TracerAPI(transport: transport).summary()
        let id = try await HeapCaptureRequest(transport: transport, timeout: options.timeout).take(telling: tell)
        let path = "api/v1/heaps/\(id)/leaks?limit=\(options.count)"
        let reply = try await transport.get(path)
        let page = try reply.decoded(WireHeapLeaks.self, of: path)
        let text =
            options.isJSON
            ? String(decoding: reply.body, as: UTF8.self).printableJSON
            : LeaksListing(page, summary.process).lines.joined(separator: "\n")
        return (text, code(for: page))
    }

    private static func code(for page: WireHeapLeaks) -> ExitCode {
        if page.obstacle != nil { return .unknown }
        // A leak that is left out has no path, by which it could be recognized as known.
        if page.cycles > page.knownCycles || page.leftOutCertain > 0 { return .failure }
        // There may be a leak among the objects that were not compared.
        return page.notCompared > 0 ? .unknown : .success
    }
}
