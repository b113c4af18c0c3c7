import Foundation
import LifetimeTracer
import LifetimeTracerDashboard

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A service that answers requests late or never, and records which clients waited for the answer.
final class SlowService: Sendable {
    /// The kind of an answer.
    enum Answer: Sendable {
        case after(seconds: Int)
        case never

        /// The name of the kind, for labels.
        var label: String {
            switch self {
            case .after: "slow answer"
            case .never: "no answer"
            }
        }
    }

    /// Identifies a request.
    struct Ticket: Sendable, Hashable {
        let number: Int
    }

    /// The state of a request.
    enum State: Sendable, Equatable {
        /// The request has arrived and waits for its answer.
        case waiting
        /// The request has been answered.
        case answered
        /// The client closed the connection before the answer.
        case cancelled
    }

    private struct Table: LockedState {
        var base = ""
        var lastTicket = 0
        var states: [Ticket: State] = [:]
        // In the order of arrival. If there are too many, the first one is finished early.
        var waiting: [SlowAnswer] = []
    }

    /// The most waiting answers.
    ///
    /// Each uses a stream, and pages need streams too.
    static let waitingLimit = 24
    /// The most requests whose state is remembered.
    private static let stateLimit = 1000

    private let table = Locked(Table())

    /// Sets the URL under which the routes are served: `http://127.0.0.1:8089/`.
    func setBase(_ url: String) {
        table.withLock { $0.base = url }
    }

    /// Returns a new ticket for a request.
    func ticket() -> Ticket {
        table.withLock { table in
            table.lastTicket += 1
            return Ticket(number: table.lastTicket)
        }
    }

    /// Returns the URL of a request.
    func url(of answer: Answer, _ ticket: Ticket) -> URL {
        switch answer {
        case .after(let seconds): url("demo/slow?seconds=\(seconds)&ticket=\(ticket.number)")
        case .never: url("demo/never?ticket=\(ticket.number)")
        }
    }

    /// The timeout of a request, in seconds.
    static let requestTimeout = 600.0

    /// Returns a session with an open connection.
    ///
    /// Outside Darwin, a session that opens a connection for a request polls it without a pause until the answer comes.
    /// A request without an answer would keep a processor busy. On a connection that was used before, the session waits
    /// without polling.
    func connectedSession() async throws -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        // Outside Darwin, the session's timeout applies and not the request's; its default is a minute.
        configuration.timeoutIntervalForRequest = Self.requestTimeout
        let session = URLSession(configuration: configuration)
        _ = try await session.data(from: url("demo/slow?seconds=0"))
        return session
    }

    private func url(_ target: String) -> URL {
        let base = table.withLock { $0.base }
        guard let url = URL(string: base + target) else {
            preconditionFailure("the server's own address is not a URL: \(base)")
        }
        return url
    }

    /// Returns the state of a request; `nil` if the request has not arrived or its state is no longer remembered.
    func state(of ticket: Ticket) -> State? {
        table.withLock { $0.states[ticket] }
    }

    /// The routes of the service.
    var routes: [Route] {
        let seconds = Route.Parameter("seconds", .number(0...30), "The delay in seconds.", isRequired: true)
        let ticket = Route.Parameter("ticket", .integer(1...Int(Int32.max)), "Identifies a request of the demo itself.")
        let text = Route.Response(200, "The text \"done\".", contentType: "text/plain", schema: .string())
        return [
            Route(
                .get, "/demo/slow", summary: "Responds after a delay.", parameters: [seconds, ticket],
                responses: [text]
            ) { [self] request in
                answer(after: request.number("seconds"), ticket: request.integer("ticket"))
            },
            Route(
                .get, "/demo/never", summary: "Never responds.", parameters: [ticket], responses: [text]
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
