import LifetimeTracerDashboard

/// One request and its answer, as they pass.
///
/// Touched by the daemon's thread only.
final class Exchange {
    /// The request target as sent, with the query and still percent-encoded.
    let target: String
    /// The method, once the request is complete.
    var method = ""
    /// Whether the head of the request was looked at.
    var headIsChecked = false
    /// What has come of the body.
    private(set) var body: [UInt8] = []
    /// Whether there was more of a body than there may be.
    private(set) var bodyIsTooLarge = false
    /// How many bytes of a body that is too large were thrown away.
    private(set) var swallowed = 0
    /// The stream that is the answer, if it is one.
    var session: StreamSession?

    /// Creates the exchange of a request of which only the first line is known.
    init(target: String) {
        self.target = target
    }

    /// Takes the next bytes of the body, or only counts them when there are more than `limit` in all.
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
