import Foundation

/// One question who holds an instance, asked until there is an answer.
struct WhyQuestion: Sendable {
    enum Outcome: Sendable, Equatable {
        /// The server's answer, and its text for people.
        case found(WhyAnswer)
        /// There is no such instance; in the server's words.
        case missing(String)
    }

    let transport: any APITransport
    let instance: Int
    /// Every step of the path.
    var isFull = false
    /// Whatever was found before.
    var isFresh = false
    /// How long to wait for the answer.
    var timeout = Duration.seconds(WhyOptions.usualTimeout)

    /// How long between two looks.
    private static let pace = Duration.milliseconds(200)

    /// Asks.
    ///
    /// - Parameter tell: Called with each step that the search comes to, in words.
    func ask(telling tell: (String) -> Void) async throws(ClientFailure) -> Outcome {
        let clock = ContinuousClock()
        let end = clock.now + timeout
        var told: String?
        var isFirst = true
        while true {
            // Asked for anew each time, it would never end.
            let path = path(afresh: isFresh && isFirst)
            isFirst = false
            let reply = try await transport.get(path)
            guard reply.status == 202 else { return try outcome(of: reply, at: path) }
            let job = try reply.decoded(WireJobAnswer.self, of: path, status: 202).job
            if told != job.phase { tell(job.phase) }
            told = job.phase
            guard clock.now + Self.pace <= end else { throw .tooSlow(timeout) }
            try? await Task.sleep(for: Self.pace)
        }
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

extension ClientFailure {
    static func tooSlow(_ timeout: Duration) -> Self {
        .unusable("it took longer than \(timeout.inSeconds) seconds; give it more with --timeout")
    }
}

/// Who holds an instance.
struct WhyAnswer: Sendable, Equatable {
    /// The answer as it came.
    let json: String
    let wire: WireRetainPath

    /// The text, a line each.
    ///
    /// Its line feeds are the only control characters that a terminal may have.
    var lines: [String] {
        let lines = wire.text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).harmless }
        return Array(lines.last == "" ? lines.dropLast() : lines[...])
    }
}

/// What is read of the server's answer; the rest is printed as it came or not at all.
struct WireRetainPath: Decodable, Sendable, Equatable {
    let text: String
    let status: String?
    /// The same for equal paths; `nil` where there is no path.
    let fingerprint: String?
}

private struct WireJobAnswer: Decodable, Sendable {
    struct Job: Decodable, Sendable {
        let state: String
        let progress: String?

        /// How far it is, in words.
        var phase: String {
            switch progress {
            case _ where state == "waiting": "waiting for another search to end"
            case "preparing": "reading the layouts of types"
            case "copying": "copying the process"
            case "walking": "walking over the heap of the copy"
            case "searching": "searching the copy for holders"
            case "naming": "finding names"
            default: "searching"
            }
        }
    }

    let job: Job
}
