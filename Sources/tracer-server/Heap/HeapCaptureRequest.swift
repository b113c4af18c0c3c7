/// A request for a capture of the heap, and the wait for its end.
struct HeapCaptureRequest: Sendable {
    let transport: any APITransport
    /// The time to wait for the capture.
    let timeout: ResultTimeout

    /// The time between two polls.
    private static let pace = Duration.milliseconds(100)

    /// Takes a capture and returns its number.
    ///
    /// A capture whose end is not awaited is cancelled, because the server makes one at a time. Nobody awaits the end
    /// after the time, or when the current task is cancelled.
    ///
    /// - Parameter tell: Called with each step of the capture, in words.
    func take(telling tell: (String) -> Void) async throws(ClientFailure) -> Int {
        guard !Task.isCancelled else { throw .unusable("interrupted before the capture began") }
        let start = APIRequest(method: "POST", path: "api/v1/heaps", body: nil)
        let id = try await transport.send(start).decoded(WireStartedHeap.self, of: start.path, status: 202).job.id
        let path = "api/v1/heaps/\(id)?limit=1"
        let wait = ResultWait(transport: transport, timeout: timeout, pace: Self.pace)
        let reply: APIReply
        do {
            reply = try await wait.answer(to: { _ in path }, step: WireStartedHeap.step, telling: tell).reply
        } catch {
            let isCancelled = await cancel(id)
            // A failure of the wait is reported as it is; the server may be out of reach.
            guard Task.isCancelled else { throw error }
            throw .unusable(
                isCancelled
                    ? "interrupted; capture \(id) was cancelled"
                    : "interrupted; capture \(id) could not be cancelled and may still run in the program")
        }
        // Any other status than 200 is the reason for which there is no capture.
        return try reply.decoded(WireHeapLines.self, of: path).heap.id
    }

    /// Cancels a capture; returns whether the server has confirmed that.
    private func cancel(_ id: Int) async -> Bool {
        let reply = try? await transport.send(APIRequest(method: "DELETE", path: "api/v1/heaps/\(id)", body: nil))
        return reply?.status == 204
    }
}

private struct WireStartedHeap: Decodable, Sendable {
    static func step(in reply: APIReply, at path: String) throws(ClientFailure) -> String {
        try reply.decoded(Self.self, of: path, status: 202).job.step
    }

    struct Job: Decodable, Sendable {
        let id: Int
        let progress: String?

        /// The step of the capture, in words.
        var step: String {
            if progress == "searching" { return "following references" }
            return CopyStep.words(for: progress) ?? "starting"
        }
    }

    let job: Job
}
