/// A request for a capture of the heap, and the wait for its end.
struct HeapCaptureRequest: Sendable {
    let transport: any APITransport
    /// The time to wait for the capture.
    let timeout: Duration

    /// The time between two polls.
    private static let pace = Duration.milliseconds(100)

    /// Takes a capture and returns its number.
    ///
    /// - Parameter tell: Called with each step of the capture, in words.
    func take(telling tell: (String) -> Void) async throws(ClientFailure) -> Int {
        let clock = ContinuousClock()
        let end = clock.now + timeout
        let start = APIRequest(method: "POST", path: "api/v1/heaps", body: nil)
        let id = try await transport.send(start).decoded(WireStartedHeap.self, of: start.path, status: 202).job.id
        let path = "api/v1/heaps/\(id)?limit=1"
        var told: String?
        while true {
            let reply = try await transport.get(path)
            guard reply.status == 202 else {
                // Any other status than 200 is the reason for which there is no capture.
                return try reply.decoded(WireHeapLines.self, of: path).heap.id
            }
            let step = try reply.decoded(WireStartedHeap.self, of: path, status: 202).job.step
            if told != step { tell(step) }
            told = step
            guard clock.now + Self.pace <= end else { throw .tooSlow(timeout) }
            try? await Task.sleep(for: Self.pace)
        }
    }
}

private struct WireStartedHeap: Decodable, Sendable {
    struct Job: Decodable, Sendable {
        let id: Int
        let progress: String?

        /// The step of the capture, in words.
        var step: String {
            switch progress {
            case "preparing": "reading type layouts"
            case "copying": "copying the process"
            case "walking": "scanning the heap of the copy"
            case "searching": "finding the functions of closures"
            case "naming": "resolving names"
            default: "starting"
            }
        }
    }

    let job: Job
}
