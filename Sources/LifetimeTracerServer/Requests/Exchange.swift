import LifetimeTracerDashboard

/// One request and its response while they are in progress.
///
/// Accessed on the daemon's thread only.
final class Exchange {
    /// The request target as sent, with the query and still percent-encoded.
    let target: String
    /// The method, once the request is complete.
    var method = ""
    /// Whether the head of the request has been checked.
    var headIsChecked = false
    /// The part of the body that has arrived.
    private(set) var body: [UInt8] = []
    /// Whether the body exceeds the limit.
    private(set) var bodyIsTooLarge = false
    /// The number of discarded bytes of a body that exceeds the limit.
    private(set) var swallowed = 0
    /// The answer that is being made on another thread.
    var delayed: AnswersElsewhere.Delayed?
    /// The response that is being sent, if it is to be used again.
    var reusable: ReusableResponses.Response?
    /// The session of a streamed response.
    var session: StreamSession?

    /// Creates the exchange of a request whose first line has arrived.
    init(target: String) {
        self.target = target
    }

    /// Stores the next bytes of the body, or only counts them once the body exceeds `limit` bytes.
    func take(_ bytes: UnsafeRawBufferPointer, limit: Int) {
        if !bodyIsTooLarge, body.count + bytes.count <= limit {
            body.append(contentsOf: bytes)
        } else {
            bodyIsTooLarge = true
            swallowed += body.count + bytes.count
            body = []
        }
    }
}
