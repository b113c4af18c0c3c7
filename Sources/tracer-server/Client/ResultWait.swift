/// The wait for a result that the server takes some time to make: a request is repeated until the answer is final.
struct ResultWait: Sendable {
    let transport: any APITransport
    let timeout: ResultTimeout
    /// The time between two polls.
    let pace: Duration

    /// Polls until the server's answer is not 202, and returns that answer with the path that was requested.
    ///
    /// - Parameters:
    ///   - path: Returns the path of a poll, for its number from 0.
    ///   - step: Reads the step of the work, in words, from an answer with status 202 and its path.
    ///   - tell: Called with each step.
    /// - Throws: ``ClientFailure/tooSlow(_:)`` after the time, and the failure of a request.
    func answer(
        to path: (Int) -> String, step: (APIReply, String) throws(ClientFailure) -> String,
        telling tell: (String) -> Void
    ) async throws(ClientFailure) -> (reply: APIReply, path: String) {
        try await answer(by: timeout.clock, to: path, step: step, telling: tell)
    }

    private func answer<C: Clock<Duration>>(
        by clock: C, to path: (Int) -> String, step: (APIReply, String) throws(ClientFailure) -> String,
        telling tell: (String) -> Void
    ) async throws(ClientFailure) -> (reply: APIReply, path: String) {
        let end = clock.now.advanced(by: timeout.duration)
        var told: String?
        var number = 0
        while true {
            let path = path(number)
            number += 1
            let reply = try await transport.get(path)
            guard reply.status == 202 else { return (reply, path) }
            let step = try step(reply, path)
            if told != step { tell(step) }
            told = step
            guard clock.now.advanced(by: pace) <= end else { throw .tooSlow(timeout.duration) }
            do {
                try await clock.sleep(for: pace)
            } catch {
                // Without this, a cancelled task would poll without a pause.
                throw .unusable("the wait for the result was cancelled")
            }
        }
    }
}

extension ClientFailure {
    static func tooSlow(_ timeout: Duration) -> Self {
        .unusable("no result within \(timeout.inSeconds) s; set a longer limit with --timeout")
    }
}
