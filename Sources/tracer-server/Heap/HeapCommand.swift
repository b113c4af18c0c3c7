import TracerBase

/// `tracer-server heap`: counts all objects and other blocks of a running program's heap by type.
enum HeapCommand {
    static let syntax = CommandSyntax(
        call: "tracer-server heap",
        summary: "Count all objects of a running program by type, traced or not, with their bytes.",
        operands: [.server],
        options: [
            .init("--sort", "COLUMN", help: "Sort by COLUMN: \(HeapOptions.Sort.names). Default: bytes."),
            .init("--filter", "TEXT", help: "Print only lines whose name or type contains TEXT, ignoring case."),
            .init("--program", help: "Print only types and closures of the program, and none of libraries or C."),
            .init(
                "--since", "N",
                help: "Compare with the earlier capture N, and print the changes, the largest growth first."),
            .init(
                "--tree",
                help: "Print what keeps the memory: each root, and below it the objects that only the root holds."),
            .init(
                "--paths", "TYPE",
                help:
                    "Print what holds the objects of TYPE: the name of a line of the table, or its type with the "
                    + "module. Objects that the same root holds in the same way are one entry."),
            .init(
                "--sample", "N",
                help:
                    "With --paths, examine at most N objects, from 1 to \(HeapOptions.largestSample). "
                    + "Default: \(HeapOptions.usualSample)."),
            .init(
                "--count", "N",
                help:
                    "Print at most N lines, from 1 to \(TracerAPI.pageLimit). Default: \(HeapOptions.usualCount), and "
                    + "\(TracerAPI.pageLimit) with --json."),
            .init("--json", help: "Print the server's JSON document."),
            .init("--timeout", "SECONDS", help: "Wait at most SECONDS for the capture. Default: 60."),
            .tokenFile,
        ],
        exitStatuses: [
            .init(code: .success, meaning: "The table was printed."),
            .init(
                code: .unknown,
                meaning:
                    "No result: no response, no result in time, another capture is running, an unknown capture after "
                    + "--since, an unknown type after --paths, an unsupported JSON version, a server other than "
                    + "LifetimeTracer, a missing access token (set LIFETIME_TRACER_TOKEN), a program in which captures "
                    + "are not available, or output that cannot be written."),
            .usage, .interrupted, .terminated,
        ],
        notes: [
            "Each run takes a new capture. The program keeps running, because the count is made in a frozen copy of "
                + "the process. The command prints progress to standard error. The server keeps the last captures; "
                + "the first line of the table names the number of the new one, for a later --since.",
            "RETAINED is what would be freed with all objects of the type, or with the root.",
            "BYTES includes the allocator's header of each block. The sum of all lines is what the allocator has given "
                + "out.",
            CommandSyntax.connectionNote,
        ])

    static func run(_ words: [String]) async throws -> ExitCode {
        guard case .run(let arguments) = try syntax.parse(words) else {
            try StandardStreams.print(syntax.helpText)
            return .success
        }
        let options = try HeapOptions(arguments)
        let requestTimeout = min(options.timeout.duration, .seconds(SocketTransport.usualTimeout))
        let transport = options.address.transport(timeout: requestTimeout, tokenFile: options.tokenFile)
        return try await syntax.printAnswer { tell throws(ClientFailure) in
            (try await text(options, transport, telling: tell), .success)
        }
    }

    /// Takes a capture and returns the text to print.
    ///
    /// - Parameter tell: Called with each step of the capture, in words.
    static func text(
        _ options: HeapOptions, _ transport: any APITransport, telling tell: (String) -> Void
    ) async throws(ClientFailure) -> String {
        let summary = try await TracerAPI(transport: transport).summary()
        let capture = HeapCaptureRequest(transport: transport, timeout: options.timeout)
        // An earlier capture that is gone is reported before the work is done.
        if let since = options.since {
            let path = "api/v1/heaps/\(since)?limit=1"
            _ = try await transport.get(path).decoded(WireHeapLines.self, of: path)
        }
        let id = try await capture.take(telling: tell)
        if let type = options.paths {
            return try await HeapPathsRequest(transport: transport, options: options)
                .text(type, in: id, of: summary.process, telling: tell)
        }
        let path = path(ofResult: id, options)
        let reply = try await transport.get(path)
        let table =
            options.isTree
            ? HeapListing(try reply.decoded(WireHeapGroups.self, of: path), summary.process)
            : options.since == nil
                ? HeapListing(try reply.decoded(WireHeapLines.self, of: path), summary.process)
                : HeapListing(try reply.decoded(WireHeapDiff.self, of: path), summary.process)
        return options.isJSON
            ? String(decoding: reply.body, as: UTF8.self).printableJSON : table.lines.joined(separator: "\n")
    }

    /// The levels of the tree to print.
    private static let levels = 4

    private static func path(ofResult id: Int, _ options: HeapOptions) -> String {
        if options.isTree { return "api/v1/heaps/\(id)/dominators?levels=\(levels)&limit=\(options.count)" }
        let start = options.since.map { "api/v1/heaps/diff?from=\($0)&to=\(id)" } ?? "api/v1/heaps/\(id)?"
        let query = [
            "limit=\(options.count)", "sort=\(options.sort.rawValue)",
            options.filter.map { "filter=\(TracerAPI.escaped($0))" }, options.isOfProgram ? "ofProgram=1" : nil,
        ]
        return start + (start.hasSuffix("?") ? "" : "&") + query.compactMap(\.self).joined(separator: "&")
    }
}
