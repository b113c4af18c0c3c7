import LifetimeTracerDashboard

/// `tracer-server why`: explains why an instance of a running program, or the instances of a type, are live.
enum WhyCommand {
    static let syntax = CommandSyntax(
        call: "tracer-server why",
        summary: "Tells who holds an instance of a running program, or the instances of a type.",
        operands: [
            .server,
            .init(
                name: "ID|TYPE",
                help:
                    "The instance, by its number: 42 or #42; or a type, by its full name or the name alone. Of a type, "
                    + "several instances are searched for, and those that are held in the same way are told together."),
        ],
        options: [
            .init("--full", help: "Tell every step of the path, also those that say little to people."),
            .init("--json", help: "Print JSON: the server's for an ID, one document with the server's for a TYPE."),
            .init("--fresh", help: "Search anew, even where it was found out a moment ago. Always so for a TYPE."),
            .init(
                "--sample", "N",
                help:
                    "Search for N instances of a TYPE at most, overdue ones first, then the oldest; from 1 to "
                    + "\(WhyOptions.longestSample). \(WhyOptions.usualSample) unless given."),
            .init(
                "--timeout", "SECONDS",
                help:
                    "Wait for so long at most. 60 unless given; a search itself is given up after 30. Each request may "
                    + "take 10 of them."),
            .tokenFile,
        ],
        notes: [
            "The program is not stopped: it is copied, and the copy is searched. How far that is goes to standard "
                + "error.",
            "Ends with 0 when it was found out, 1 when there is no such instance or type, it has gone, or a name "
                + "fits types of several modules, 2 when it cannot tell: no answer, it took too long, a wrong "
                + "version, not LifetimeTracer, no access token where one is needed (set LIFETIME_TRACER_TOKEN), "
                + "paths cannot be had in that program, or output that cannot be written; 64 when the command line "
                + "cannot be understood.",
            CommandSyntax.connectionNote,
        ])

    static func run(_ words: [String]) async throws -> ExitCode {
        guard case .run(let arguments) = try syntax.parse(words) else {
            try StandardStreams.print(syntax.helpText)
            return .success
        }
        let options = try WhyOptions(arguments)
        let requestTimeout = min(options.timeout, .seconds(SocketTransport.usualTimeout))
        let result: Result<Answer, ClientFailure>
        do throws(ClientFailure) {
            let transport = options.address.transport(timeout: requestTimeout, tokenFile: options.tokenFile)
            result = .success(
                try await answer(options, transport) { StandardStreams.printError("\(syntax.call): \($0)") })
        } catch {
            result = .failure(error)
        }
        switch result {
        case .success(.text(let text)):
            try StandardStreams.print(text)
            return .success
        case .success(.none(let message)):
            StandardStreams.printError("\(syntax.call): \(message)")
            return .failure
        case .failure(let failure):
            StandardStreams.printError("\(syntax.call): cannot tell: \(failure)")
            return .unknown
        }
    }

    /// The result of a question.
    enum Answer: Sendable, Equatable {
        /// The text to print.
        case text(String)
        /// The subject of the question does not exist; the message says why.
        case none(String)
    }

    /// Asks the server and returns the result.
    ///
    /// - Parameter tell: Called with each phase of the search, in words.
    static func answer(
        _ options: WhyOptions, _ transport: any APITransport, telling tell: (String) -> Void
    ) async throws(ClientFailure) -> Answer {
        let api = TracerAPI(transport: transport)
        _ = try await api.summary()
        switch options.subject {
        case .instance(let id):
            return try await answer(on: id, options, transport, tell)
        case .type(let name):
            switch try await TypeSearch(api: api).find(name) {
            case .found(let type): return try await answer(on: type, options, transport, tell)
            case .unknown(let suggestions): return .none(unknown(name, suggestions))
            case .ambiguous(let types):
                return .none(
                    "\"\(name)\" is the name of several types: \(types.joined(separator: ", ")); give one in full")
            }
        }
    }

    private static func answer(
        on id: Int, _ options: WhyOptions, _ transport: any APITransport, _ tell: (String) -> Void
    ) async throws(ClientFailure) -> Answer {
        let question = WhyQuestion(
            transport: transport, instance: id, isFull: options.isFull, isFresh: options.isFresh,
            timeout: options.timeout)
        switch try await question.ask(telling: tell) {
        case .missing(let message): return .none(message)
        case .found(let answer):
            return .text(options.isJSON ? answer.json.harmlessJSON : answer.lines.joined(separator: "\n"))
        }
    }

    private static func answer(
        on type: String, _ options: WhyOptions, _ transport: any APITransport, _ tell: (String) -> Void
    ) async throws(ClientFailure) -> Answer {
        let question = TypeQuestion(
            transport: transport, type: type, sample: options.sample, isFull: options.isFull, timeout: options.timeout)
        let answer = try await question.ask(telling: tell)
        guard !answer.asked.isEmpty else { return .none("no instance of \(type) is live") }
        guard !answer.groups.isEmpty else { return .none("all instances of \(type) died before the search ended") }
        let json = String(decoding: answer.jsonBytes, as: UTF8.self).harmlessJSON
        return .text(options.isJSON ? json : answer.lines.joined(separator: "\n"))
    }

    private static func unknown(_ name: String, _ suggestions: [String]) -> String {
        let hint =
            suggestions.isEmpty
            ? "give it as /api/v1/types shows it" : "similar: \(suggestions.joined(separator: ", "))"
        return "no type \"\(name)\" has been seen; \(hint)"
    }
}
