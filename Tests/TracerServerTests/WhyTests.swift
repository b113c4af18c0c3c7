import Foundation
import LifetimeTracer
import Testing

@testable import tracer_server

/// The output of `why` for given answers, without a server.
@Suite struct WhyTests {
    /// Returns the given answers one after the other, and records the requests.
    private final class Script: APITransport {
        private struct State: LockedState {
            var replies: [APIReply]
            var asked: [String] = []
        }

        private let state: Locked<State>

        init(_ replies: [APIReply], summary: String = Canned.summary()) {
            state = Locked(State(replies: [WhyTests.reply(summary)] + replies))
        }

        var requests: [String] { state.withLock { $0.asked } }

        func send(_ request: APIRequest) async throws(ClientFailure) -> APIReply {
            let reply = state.withLock { state -> APIReply? in
                state.asked.append(request.path)
                // The last answer is repeated.
                return state.replies.count > 1 ? state.replies.removeFirst() : state.replies.first
            }
            guard let reply else { throw .unreachable("nobody answers") }
            return reply
        }
    }

    private static func reply(_ text: String, status: Int = 200) -> APIReply {
        APIReply(status: status, body: Array(text.utf8))
    }

    private static func job(_ state: String, _ progress: String? = nil) -> APIReply {
        let progress = progress.map { "\"\($0)\"" } ?? "null"
        return reply(#"{"job":{"state":"\#(state)","progress":\#(progress),"together":1}}"#, status: 202)
    }

    private static func options(_ words: [String] = []) throws -> WhyOptions {
        guard case .run(let arguments) = try WhyCommand.syntax.parse(["http://127.0.0.1:1/", "7"] + words) else {
            throw NotInTime(description: "help")
        }
        return try WhyOptions(arguments)
    }

    private static func ask(
        _ script: Script, _ words: [String] = [], telling tell: @escaping (String) -> Void = { _ in }
    ) async throws -> WhyCommand.Answer {
        var options = try options(words)
        options.timeout.clock = SteppingClock()
        return try await WhyCommand.answer(options, script, telling: tell)
    }

    @Test func whyPollsUntilTheResultAndReportsEachStepOnce() async throws {
        let script = Script([
            Self.job("waiting"), Self.job("searching", "copying"), Self.job("searching", "copying"),
            Self.reply(#"{"text":"one\n  two\n"}"#),
        ])
        var told: [String] = []
        let outcome = try await Self.ask(script, ["--full", "--fresh"]) { told.append($0) }
        #expect(outcome == .text("one\n  two"))
        #expect(told == ["waiting for the search to start", "copying the process"])
        let path = "api/v1/instances/7/retain-path"
        #expect(
            script.requests == ["api/v1/summary", "\(path)?full=1&fresh=1"]
                + Array(repeating: "\(path)?full=1", count: 3))
    }

    @Test func jsonIsPrintedUnchanged() async throws {
        let body = #"{"instance":7,"text":"one\ntwo\n"}"#
        #expect(try await Self.ask(Script([Self.reply(body)]), ["--json"]) == .text(body))
    }

    @Test func controlCharactersAreReplaced() async throws {
        let outcome = try await Self.ask(Script([Self.reply(#"{"text":"a\u001b[2Jb\n"}"#)]))
        #expect(outcome == .text("a\u{FFFD}[2Jb"))
    }

    @Test func deadInstanceIsReportedWithTheServersMessage() async throws {
        let body = #"{"error":{"code":"instanceDied","message":"Instance 7 died.","hint":"Only live ones."}}"#
        let outcome = try await Self.ask(Script([Self.reply(body, status: 404)]))
        #expect(outcome == .none("Instance 7 died. Only live ones."))
    }

    @Test(arguments: [
        (501, #"{"error":{"code":"notAvailable","message":"No copy: musl.","hint":"Go."}}"#, "No copy: musl."),
        (429, #"{"error":{"code":"tooManySearches","message":"500 wait.","hint":"Later."}}"#, "500 wait. Later."),
        (401, "{}", "LIFETIME_TRACER_TOKEN"), (200, "hello", "another program"), (202, "hello", "another program"),
        (404, "hello", "status 404"),
    ]) func unusableResponseIsReported(_ status: Int, _ body: String, _ part: String) async throws {
        let error = await #expect(throws: ClientFailure.self) {
            try await Self.ask(Script([Self.reply(body, status: status)]))
        }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }

    @Test func unsupportedVersionIsReported() async throws {
        let error = await #expect(throws: ClientFailure.self) {
            try await Self.ask(Script([], summary: #"{"version":2}"#))
        }
        #expect(error?.description.contains("version 2") == true)
    }

    @Test func whyGivesUpAtTheTimeout() async throws {
        let script = Script([Self.job("searching", "walking")])
        let error = await #expect(throws: ClientFailure.self) { try await Self.ask(script, ["--timeout", "0.5"]) }
        #expect(error?.description == "no result within 0.5 s; set a longer limit with --timeout")
        #expect(script.requests.count == 4, "the summary, and a poll each at 0, 0.2 and 0.4 s")
    }

    @Test func optionsAreParsed() throws {
        let plain = try Self.options()
        #expect(plain.subject == .instance(7) && !plain.isFull && !plain.isJSON && !plain.isFresh)
        #expect(plain.timeout.duration == .seconds(60))
        let request = try WhyCommand.syntax.parse(["unix:/tmp/x", "#42", "--timeout=2"])
        guard case .run(let arguments) = request else { throw NotInTime(description: "help") }
        let options = try WhyOptions(arguments)
        #expect(
            options.address == .unix(path: "/tmp/x") && options.subject == .instance(42)
                && options.timeout.duration == .seconds(2))
    }

    @Test(arguments: [
        (["http://host/"], "missing argument ID|TYPE"),
        (["http://host/", "7even"], "\"7even\" is neither an instance id nor a type name"),
        (["http://host/", "-7"], "unknown option \"-7\""), (["http://host/", "##7"], "is neither an instance id"),
        (["ftp://host/", "7"], "\"ftp://host/\" is not a server address"),
        (["http://host/", "7", "8"], "unexpected argument \"8\""),
        (["http://host/", "7", "--timeout", "never"], "--timeout \"never\""),
        (["http://host/", "99999999999999999999"], "is neither an instance id"),
    ]) func usageErrorNamesTheProblem(_ words: [String], _ part: String) {
        let error = #expect(throws: UsageError.self) {
            guard case .run(let arguments) = try WhyCommand.syntax.parse(words) else { return }
            _ = try WhyOptions(arguments)
        }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
        #expect(error?.description.hasSuffix("(see tracer-server why --help)") == true)
    }
}
