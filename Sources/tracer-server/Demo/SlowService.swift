import Foundation
import LifetimeTracer
import LifetimeTracerDashboard

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Answers that come late or never, and who was still there to have them.
final class SlowService: Sendable {
    /// How a request is answered.
    enum Answer: Sendable {
        case after(seconds: Int)
        case never

        /// For people.
        var label: String {
            switch self {
            case .after: "slow answer"
            case .never: "no answer"
            }
        }
    }

    /// Tells one request from the others.
    struct Ticket: Sendable, Hashable {
        let number: Int
    }

    /// How far a request is.
    enum State: Sendable, Equatable {
        /// It has arrived and waits for its answer.
        case waiting
        /// It has been answered.
        case answered
        /// The client went away before it was.
        case cancelled
    }

    private struct Table: LockedState {
        var base = ""
        var lastTicket = 0
        var states: [Ticket: State] = [:]
        // In the order in which they came; ended from the front when there are too many.
        var waiting: [SlowAnswer] = []
    }

    /// The most answers that wait: a stream each, of which pages need some, too.
    static let waitingLimit = 24
    /// The most requests whose state is remembered.
    private static let stateLimit = 1000

    private let table = Locked(Table())

    /// Says where the routes are served: `http://127.0.0.1:8089/`.
    func setBase(_ url: String) {
        table.withLock { $0.base = url }
    }

    /// A ticket for a request that is about to be made.
    func ticket() -> Ticket {
        table.withLock { table in
            table.lastTicket += 1
            return Ticket(number: table.lastTicket)
        }
    }

    /// Where to make a request.
    func url(of answer: Answer, _ ticket: Ticket) -> URL {
        switch answer {
        case .after(let seconds): url("demo/slow?seconds=\(seconds)&ticket=\(ticket.number)")
        case .never: url("demo/never?ticket=\(ticket.number)")
        }
    }

    /// How long a request may take before it fails by itself, in seconds.
    static let requestTimeout = 600.0

    /// A session with a connection that is open already.
    ///
    /// Outside Darwin, a session that opens a connection for a request looks after it without a pause until the answer
    /// comes: a request that is never answered would keep a processor busy. On a connection that it has used before it
    /// waits as it should.
    func connectedSession() async throws -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        // Outside Darwin this counts, and not what a request says: a minute unless it is set.
        configuration.timeoutIntervalForRequest = Self.requestTimeout
        let session = URLSession(configuration: configuration)
        _ = try await session.data(from: url("demo/slow?seconds=0"))
        return session
    }

    private func url(_ target: String) -> URL {
        let base = table.withLock { $0.base }
        guard let url = URL(string: base + target) else {
            preconditionFailure("the server's own address is no URL: \(base)")
        }
        return url
    }

    /// How far a request is; `nil` when it has not arrived, or so long ago that it is forgotten.
    func state(of ticket: Ticket) -> State? {
        table.withLock { $0.states[ticket] }
    }

    /// What the server serves.
    var routes: [Route] {
        let ticket = Route.Parameter("ticket", .integer(1...Int(Int32.max)), "Tells the demo's own requests apart.")
        let text = Route.Response(200, "The text \"done\".", contentType: "text/plain", schema: .string())
        return [
            Route(
                .get, "/demo/slow", summary: "Answers late.",
                parameters: [Route.Parameter("seconds", .number(0...30), "How late.", isRequired: true), ticket],
                responses: [text]
            ) { [self] request in
                answer(after: request.number("seconds"), ticket: request.integer("ticket"))
            },
            Route(
                .get, "/demo/never", summary: "Never answers.", parameters: [ticket], responses: [text]
            ) { [self] request in
                answer(after: nil, ticket: request.integer("ticket"))
            },
        ].map { $0.refusingOtherSites() }
    }

    private func answer(after seconds: Double?, ticket: Int?) -> HTTPResponse {
        let ticket = ticket.map(Ticket.init)
        let answer = SlowAnswer(after: seconds.map { .milliseconds(Int($0 * 1000)) }) { [weak self] answer, end in
            self?.closed(answer, ticket, end)
        }
        let surplus = table.withLock { table -> SlowAnswer? in
            if let ticket {
                if table.states.count >= Self.stateLimit { table.states = [:] }
                table.states[ticket] = .waiting
            }
            table.waiting.append(answer)
            return table.waiting.count > Self.waitingLimit ? table.waiting.removeFirst() : nil
        }
        surplus?.finish()
        let headers: HTTPHeaders = [
            .init("Content-Type", "text/plain; charset=utf-8"), .init("Cache-Control", "no-store"),
        ]
        return HTTPResponse(status: 200, headers: headers, body: .stream(answer))
    }

    private func closed(_ answer: SlowAnswer, _ ticket: Ticket?, _ end: StreamEnd) {
        table.withLock { table in
            table.waiting.removeAll { $0 === answer }
            if let ticket { table.states[ticket] = end == .disconnected ? .cancelled : .answered }
        }
    }
}
