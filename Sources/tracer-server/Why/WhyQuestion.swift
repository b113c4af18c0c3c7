import Foundation

/// One question who holds an instance, asked until there is an answer.
struct WhyQuestion: Sendable {
    /// What comes of it.
    enum Outcome: Sendable, Equatable {
        /// What to print.
        case found(lines: [String])
        /// There is no such instance; in the server's words.
        case missing(String)
    }

    let transport: any APITransport
    let options: WhyOptions

    /// How long between two looks.
    private static let pace = Duration.milliseconds(200)

    /// Asks.
    ///
    /// - Parameter tell: Called with each step that the search comes to, in words.
    func ask(telling tell: (String) -> Void) async throws(CheckFailure) -> Outcome {
        try await CheckedServer(transport: transport).checkVersion()
        let clock = ContinuousClock()
        let end = clock.now + options.timeout
        var told: String?
        var isFirst = true
        while true {
            // Asked for anew each time, it would never end.
            let path = path(afresh: options.isFresh && isFirst)
            isFirst = false
            let reply = try await transport.get(path)
            guard reply.status == 202 else { return try outcome(of: reply, at: path) }
            let job = try reply.decoded(WireJobAnswer.self, of: path, status: 202).job
            if told != job.phase { tell(job.phase) }
            told = job.phase
            guard clock.now + Self.pace <= end else {
                throw .unusable("it took longer than \(options.timeout.inSeconds) seconds; give it more with --timeout")
            }
            try? await Task.sleep(for: Self.pace)
        }
    }

    private func path(afresh: Bool) -> String {
        let query = [options.isFull ? "full=1" : nil, afresh ? "fresh=1" : nil].compactMap(\.self)
        let path = "api/v1/instances/\(options.instance)/retain-path"
        return query.isEmpty ? path : "\(path)?\(query.joined(separator: "&"))"
    }

    private func outcome(of reply: APIReply, at path: String) throws(CheckFailure) -> Outcome {
        if let message = reply.refusal(withStatus: 404) { return .missing(message.harmless) }
        let answer = try reply.decoded(WireRetainPath.self, of: path)
        if options.isJSON { return .found(lines: [String(decoding: reply.body, as: UTF8.self)]) }
        // The text's own line feeds are the only control characters that a terminal may have.
        let lines = answer.text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).harmless }
        return .found(lines: Array(lines.last == "" ? lines.dropLast() : lines[...]))
    }
}

/// What is read of the server's JSON; the rest is printed as it is or not at all.
private struct WireRetainPath: Decodable, Sendable {
    let text: String
}

private struct WireJobAnswer: Decodable, Sendable {
    struct Job: Decodable, Sendable {
        let state: String
        let progress: String?
        let together: Int

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

extension Duration {
    /// In seconds, without a fraction where there is none.
    fileprivate var inSeconds: String {
        let seconds = Double(components.seconds) + Double(components.attoseconds) / 1e18
        return Int(exactly: seconds).map(String.init) ?? String(seconds)
    }
}
