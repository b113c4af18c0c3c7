import Dispatch
import LifetimeTracer
import LifetimeTracerFoundation

/// A background load like that of an ordinary server: sessions, and requests in them, come and go. It gives the page
/// changing data.
///
/// The workload leaks nothing and stays within its budget.
actor Workload {
    /// The group of the workload's types.
    static let group = "background"
    /// The most sessions at a time, and the most requests in one.
    private static let limits = (sessions: 6, requests: 3)
    /// The budget of the group: all sessions, their requests, and a heartbeat for each session.
    static let budget = limits.sessions * (2 + limits.requests)

    private static let pace = Duration.milliseconds(250)

    private let registry: LifetimeRegistry
    private let news = ObserverHub<Int>(event: "news")
    private var sessions: [ClientSession] = []
    private var step = 0

    init(registry: LifetimeRegistry) {
        self.registry = registry
    }

    /// Runs the workload until the task is cancelled.
    func run() async throws {
        try prepare()
        while !Task.isCancelled {
            registry.withCurrent { work() }
            try await Task.sleep(for: Self.pace)
        }
    }

    /// Sets the group, its budget and the invariant of the workload's types.
    func prepare() throws {
        registry.assign(ClientSession.self, Heartbeat.self, RequestHandler.self, toGroup: Self.group)
        try registry.setBudget(Self.budget, forGroup: Self.group)
        try registry.expect(
            1, of: Heartbeat.self, forEach: ClientSession.self, because: "each session has one heartbeat")
    }

    /// Executes one step of the workload.
    func work() {
        step += 1
        // The number of sessions varies over some ten seconds, so that the chart is not a flat line.
        let wanted = 2 + (step / 10) % (Self.limits.sessions - 1)
        if sessions.count < wanted {
            let session = ClientSession(label: "client \(step % 97)")
            session.observe(news)
            sessions.append(session)
        } else if step.isMultiple(of: 7) || sessions.count > wanted {
            sessions.removeFirst()
        }
        for (position, session) in sessions.enumerated() {
            session.handle(requests: (step + 2 * position) % (Self.limits.requests + 1))
        }
        if step.isMultiple(of: 4) { news.send(step) }
    }
}

/// A session of a client.
///
/// `@unchecked Sendable` is safe because only the actor ``Workload``, which alone holds the session, accesses it.
private final class ClientSession: TracedObject, @unchecked Sendable {
    private let heartbeat = Heartbeat()
    private var handlers: [RequestHandler] = []

    func observe(_ news: ObserverHub<Int>) {
        heartbeat.start(for: self)
        news.observe(owner: self) { _ in }?.keep(for: self)
    }

    func handle(requests: Int) {
        while handlers.count > requests { handlers.removeFirst() }
        while handlers.count < requests { handlers.append(RequestHandler(label: nil, owner: self)) }
    }
}

/// The handler of one request of a session.
private final class RequestHandler: TracedObject {}

/// A timer that keeps a session from expiring.
private final class Heartbeat: TracedObject {
    private let timers = RegistrationBag()

    func start(for session: ClientSession) {
        DispatchSource.timerToken(
            after: .seconds(1), every: .seconds(1), event: "heartbeat", owner: session
        ) {}
        .store(in: timers)
    }
}
