import Foundation
import TracerBase

/// The question why one instance is live.
///
/// The question is repeated until the server has an answer.
struct WhyQuestion: Sendable {
    enum Outcome: Sendable, Equatable {
        /// The server's answer.
        case found(WhyAnswer)
        /// No live instance has this id; the server's message.
        case missing(String)
    }

    let transport: any APITransport
    let instance: Int
    /// Whether to request every step of the path.
    var isFull = false
    /// Whether to search again although a result is kept.
    var isFresh = false
    /// The time to wait for the answer.
    var timeout = ResultTimeout(duration: .seconds(WhyOptions.usualTimeout))

    /// The time between two polls.
    private static let pace = Duration.milliseconds(200)

    /// Polls until the server has an answer.
    ///
    /// - Parameter tell: Called with each phase of the search, in words.
    func ask(telling tell: (String) -> Void) async throws(ClientFailure) -> Outcome {
        let wait = ResultWait(transport: transport, timeout: timeout, pace: Self.pace)
        // Only the first request asks for a new search. Otherwise each poll would start another one.
        let (reply, path) = try await wait.answer(
            to: { self.path(afresh: isFresh && $0 == 0) }, step: WireJobAnswer.phase, telling: tell)
        return try outcome(of: reply, at: path)
    }

    private func path(afresh: Bool) -> String {
        let query = [isFull ? "full=1" : nil, afresh ? "fresh=1" : nil].compactMap(\.self)
        let path = "api/v1/instances/\(instance)/retain-path"
        return query.isEmpty ? path : "\(path)?\(query.joined(separator: "&"))"
    }

    private func outcome(of reply: APIReply, at path: String) throws(ClientFailure) -> Outcome {
        if let message = reply.refusal(withStatus: 404) { return .missing(message) }
        let answer = try reply.decoded(WireRetainPath.self, of: path)
        return .found(WhyAnswer(json: String(decoding: reply.body, as: UTF8.self), wire: answer))
    }
}

/// The server's explanation why an instance is live.
struct WhyAnswer: Sendable, Equatable {
    /// The JSON as received.
    let json: String
    let wire: WireRetainPath

    /// The text as lines.
    ///
    /// Control characters in a line are replaced, so that none reaches the terminal.
    var lines: [String] {
        let lines = wire.text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }
        return Array(lines.last == "" ? lines.dropLast() : lines[...])
    }
}

/// The fields of the server's answer that the command reads.
struct WireRetainPath: Decodable, Sendable, Equatable {
    let text: String
    let status: String?
    /// Equal for equal paths, whatever closures of a function they lead through; `nil` if the instance has no path.
    let fingerprint: String?
    /// The lines of the path; `nil` if the instance has none.
    let steps: [Step]?

    struct Step: Decodable, Sendable, Equatable {
        let kind: String
        let name: String
    }
}

private struct WireJobAnswer: Decodable, Sendable {
    static func phase(in reply: APIReply, at path: String) throws(ClientFailure) -> String {
        try reply.decoded(Self.self, of: path, status: 202).job.phase
    }

    struct Job: Decodable, Sendable {
        let state: String
        let progress: String?

        /// The phase of the search, in words.
        var phase: String {
            if state == "waiting" { return "waiting for the search to start" }
            if progress == "searching" { return "searching the copy for holders" }
            return CopyStep.words(for: progress) ?? "searching"
        }
    }

    let job: Job
}
