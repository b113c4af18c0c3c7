import LifetimeTracerDashboard
import TracerBase

/// `tracer-server why`: explains why an instance of a running program, or the instances of a type, are live.
enum WhyCommand {
    static let syntax = CommandSyntax(
        call: "tracer-server why",
        summary: "Explain what holds an instance, or the instances of a type, in a running program.",
        operands: [
            .server,
            .init(
                name: "ID|TYPE",
                help:
                    "ID is the id of an instance: 42 or #42. TYPE is a full type name or a type name without its "
                    + "module. For a TYPE, the command explains several instances and prints instances with equal "
                    + "retain paths together."),
        ],
        options: [
            .init("--full", help: "Show every step of the retain path, including internal ones."),
            .init(
                "--json",
                help:
                    "Print JSON: for an ID, the server's document; for a TYPE, one document that contains the server's "
                    + "documents."),
            .init(
                "--fresh",
                help:
                    "Search again even if the server keeps a recent result. A search for a TYPE is always a new search."
            ),
            .init(
                "--sample", "N",
                help:
                    "Explain at most N instances of a TYPE, overdue instances first, then the oldest; N is from 1 to "
                    + "\(WhyOptions.longestSample). Default: \(WhyOptions.usualSample)."),
            .init(
                "--timeout", "SECONDS",
                help:
                    "Wait at most SECONDS for the result. Default: 60. A search ends after at most 30 seconds, and a "
                    + "single request after at most 10 seconds."),
            .tokenFile,
        ],
        exitStatuses: [
            .init(code: .success, meaning: "The result was printed."),
            .init(
                code: .failure,
                meaning:
                    "The instance or type does not exist, the instance has died, or types of several modules have the "
                    + "name TYPE."),
            .init(
                code: .unknown,
                meaning:
                    "The result is unknown: no response, no result in time, an unsupported JSON version, a server "
                    + "other than LifetimeTracer, a missing access token (set LIFETIME_TRACER_TOKEN), a program in "
                    + "which retain paths are not available, or output that cannot be written."),
            .usage,
        ],
        notes: [
            "The program keeps running, because the search reads a frozen copy of the process. The command prints "
                + "progress to standard error.",
            CommandSyntax.connectionNote,
        ])

    static func run(_ words: [String]) async throws -> ExitCode {
        guard case .run(let arguments) = try syntax.parse(words) else {
            try StandardStreams.print(syntax.helpText)
            return .success
        }
        let options = try WhyOptions(arguments)
        let requestTimeout = min(options.timeout.duration, .seconds(SocketTransport.usualTimeout))
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
            StandardStreams.printError("\(syntax.call): \(failure)")
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
                    "several types are named \"\(name)\": \(types.joined(separator: ", ")); use a full name")
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
            return .text(options.isJSON ? answer.json.printableJSON : answer.lines.joined(separator: "\n"))
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
        let json = String(decoding: answer.jsonBytes, as: UTF8.self).printableJSON
        return .text(options.isJSON ? json : answer.lines.joined(separator: "\n"))
    }

    private static func unknown(_ name: String, _ suggestions: [String]) -> String {
        let hint =
            suggestions.isEmpty
            ? "/api/v1/types lists all types" : "similar types: \(suggestions.joined(separator: ", "))"
        return "no type named \"\(name)\" has been seen; \(hint)"
    }
}
