import Foundation

/// `tracer-server why`: asks a running program who holds an instance.
enum WhyCommand {
    static let syntax = CommandSyntax(
        call: "tracer-server why",
        summary: "Tells who holds an instance of a running program, and what to do about it.",
        operands: [
            .init(name: "URL", help: "The server: http://HOST:PORT/ or unix:PATH."),
            .init(name: "ID", help: "The instance, by its number: 42 or #42."),
        ],
        options: [
            .init("--full", help: "Tell every step of the path, also those that say little to people."),
            .init("--json", help: "Print the server's JSON."),
            .init("--fresh", help: "Search anew, even where it was found out a moment ago."),
            .init(
                "--timeout", "SECONDS",
                help: "Wait for so long at most. 60 unless given; a search itself is given up after 30."),
        ],
        notes: [
            "The program is not stopped: it is copied, and the copy is searched. How far that is goes to standard error.",
            "Ends with 0 when it was found out, 1 when there is no such instance or it has gone, 2 when it cannot tell: nobody "
                + "answers, it took too long, a wrong version, not LifetimeTracer, no token where one is needed (set "
                + "LIFETIME_TRACER_TOKEN), or paths cannot be had in that program; 64 when the command line cannot be "
                + "understood.",
        ])

    static func run(_ words: [String]) async throws(UsageError) -> ExitCode {
        guard case .run(let arguments) = try syntax.parse(words) else {
            StandardStreams.print(syntax.helpText)
            return .success
        }
        let options = try WhyOptions(arguments)
        do throws(CheckFailure) {
            let question = WhyQuestion(transport: options.target.transport, options: options)
            let outcome = try await question.ask { phase in
                StandardStreams.printError("\(syntax.call): \(phase)")
            }
            switch outcome {
            case .found(let lines):
                for line in lines { StandardStreams.print(line) }
                return .success
            case .missing(let message):
                StandardStreams.printError("\(syntax.call): \(message)")
                return .failure
            }
        } catch {
            StandardStreams.printError("\(syntax.call): cannot tell: \(error)")
            return .unknown
        }
    }
}
