import LifetimeTracer
import LifetimeTracerDashboard

@MainActor let dashboardRounds: [any Rounds.Type] = [EventStreamLives.self, EventStreamReads.self]

/// Opens an event stream of a dashboard.
@MainActor private func openStream(of dashboard: Dashboard) throws(RoundFailure) -> any ResponseStream {
    let request = HTTPRequest(
        method: "GET", target: "/api/v1/events", headers: [HTTPHeaders.Field("Host", "localhost")])
    guard case .stream(let stream) = dashboard.respond(to: request).body else { throw RoundFailure("no stream") }
    return stream
}

private final class EventStreamLives: Rounds {
    static let name = "event stream: opened, greeted and closed"

    private let dashboard = Dashboard(registry: LifetimeRegistry(clock: ManualClock()))

    func run(_ rounds: Int) throws {
        for _ in 0..<rounds {
            let stream = try openStream(of: dashboard)
            stream.start {}
            guard case .bytes = stream.read() else { throw RoundFailure("no greeting") }
            stream.closed(.disconnected)
        }
    }
}

/// Verdicts wake an open stream, which is then read.
private final class EventStreamReads: Rounds {
    static let name = "event stream: woken by verdicts and read"

    private static let batch = 100

    private let registry = LifetimeRegistry(clock: ManualClock())
    private let stream: any ResponseStream
    private let dashboard: Dashboard
    private let wakes = Tally()

    init() throws {
        try registry.setTokenThreshold(0, event: "volume")
        dashboard = Dashboard(registry: registry)
        stream = try openStream(of: dashboard)
        stream.start { [wakes] in wakes.add() }
        try readAll()
    }

    deinit {
        stream.closed(.serverStopped)
    }

    func run(_ rounds: Int) throws {
        let before = wakes.count
        for _ in 0..<rounds / Self.batch {
            for _ in 0..<Self.batch {
                ObserverToken(.subscription, event: "volume", registry: registry, removal: {}).remove()
            }
            registry.check()
            try readAll()
        }
        try require(wakes.count - before >= rounds, "\(wakes.count - before) wakes in \(rounds) rounds")
    }

    private func readAll() throws {
        while true {
            switch stream.read() {
            case .bytes: continue
            case .wait: return
            case .end: throw RoundFailure("the stream has ended")
            }
        }
    }
}
