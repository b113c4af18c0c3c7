import TracerBase

/// `tracer-server tasks`: lists the Tasks of a running program, with what they await.
enum TasksCommand {
    static let syntax = CommandSyntax(
        call: "tracer-server tasks",
        summary: "List the Tasks of a running program, with what each of them awaits and in which functions.",
        operands: [.server],
        options: [
            .init(
                "--state", "STATE",
                help: "Print only Tasks in STATE: \(TasksOptions.states.joined(separator: ", "))."),
            .init("--program", help: "Print only Tasks in functions of the program, and none of libraries."),
            .init(
                "--count", "N",
                help:
                    "Print at most N entries, from 1 to \(TracerAPI.pageLimit). "
                    + "Default: \(TasksOptions.usualCount), and \(TracerAPI.pageLimit) with --json."),
            .init("--json", help: "Print the server's JSON document."),
            .init("--timeout", "SECONDS", help: "Wait at most SECONDS for the capture. Default: 60."),
            .tokenFile,
        ],
        exitStatuses: [
            .init(code: .success, meaning: "The Tasks were printed."),
            .init(
                code: .unknown,
                meaning:
                    "No result: no response, no result in time, another capture is running, limits of memory or time "
                    + "that do not suffice, a Swift runtime whose Tasks are not readable, an unsupported JSON version, "
                    + "a server other than LifetimeTracer, a missing access token (set LIFETIME_TRACER_TOKEN), a "
                    + "program in which captures are not available, or output that cannot be written."),
            .usage, .interrupted, .terminated,
        ],
        notes: [
            "Each run takes a new capture. The program keeps running, because the list is made in a frozen copy of the "
                + "process. The command prints progress to standard error.",
            "Tasks that nothing can resume come first, then those that only others can resume, because they may be "
                + "stuck; the oldest first.",
            "Tasks that differ only in their numbers are one entry. With --json, each Task is an entry.",
            CommandSyntax.connectionNote,
        ])

    static func run(_ words: [String]) async throws -> ExitCode {
        guard case .run(let arguments) = try syntax.parse(words) else {
            try StandardStreams.print(syntax.helpText)
            return .success
        }
        let options = try TasksOptions(arguments)
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
        _ options: TasksOptions, _ transport: any APITransport, telling tell: (String) -> Void
    ) async throws(ClientFailure) -> (text: String, code: ExitCode) {
        let summary = try await TracerAPI(transport: transport).summary()
        let id = try await HeapCaptureRequest(transport: transport, timeout: options.timeout).take(telling: tell)
        let state = options.state.map { "&state=\($0)" } ?? ""
        let selection = state + (options.isOfProgram ? "&ofProgram=1" : "") + (options.isJSON ? "" : "&fold=1")
        let path = "api/v1/heaps/\(id)/tasks?limit=\(options.count)\(selection)"
        let reply = try await transport.get(path)
        let page = try reply.decoded(WireHeapTasks.self, of: path)
        let text =
            options.isJSON
            ? String(decoding: reply.body, as: UTF8.self).printableJSON
            : TasksListing(page, summary.process).lines.joined(separator: "\n")
        return (text, page.obstacle == nil ? .success : .unknown)
    }
}
