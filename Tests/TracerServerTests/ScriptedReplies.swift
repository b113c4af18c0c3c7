import LifetimeTracer

@testable import tracer_server

/// A transport that returns the given responses one after the other, after that to the request for the summary, and
/// records the requests.
final class ScriptedReplies: APITransport {
    private struct State: LockedState {
        var replies: [APIReply]
        var asked: [String] = []
    }

    private let state: Locked<State>

    init(_ replies: [APIReply]) {
        state = Locked(State(replies: [Self.reply(Canned.summary())] + replies))
    }

    /// The requests so far.
    var requests: [String] { state.withLock { $0.asked } }

    func send(_ request: APIRequest) async throws(ClientFailure) -> APIReply {
        let reply = state.withLock { state -> APIReply? in
            state.asked.append("\(request.method) \(request.path)")
            // The last response is repeated.
            return state.replies.count > 1 ? state.replies.removeFirst() : state.replies.first
        }
        guard let reply else { throw .unreachable("nobody answers") }
        return reply
    }

    static func reply(_ text: String, status: Int = 200) -> APIReply {
        APIReply(status: status, body: Array(text.utf8))
    }
}
