import CBareServer
import LifetimeTracer
import LifetimeTracerServer
import Reporting

/// The CPU time that requests cost the program, each on a kept-alive connection, beside a bare server with
/// libmicrohttpd.
///
/// 10,000 instances of 20 types are live, 200 of them overdue. The CPU time is that of all threads of the process but
/// the client's. A round sends some requests of each kind, so that a disturbance meets all kinds.
struct RequestCosts {
    /// The kinds of requests to measure beside the bare server's; all if empty.
    let only: [String]
    let rounds: Int

    private static let live = 10_000
    private static let overdue = 200
    /// The requests of one kind in a round.
    private static let requests = 10

    private struct Kind {
        let name: String
        let path: String
        let socket: Int32
    }

    /// An obstacle to the measurement.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    func run() throws -> [Figure] {
        let server = TracerServer(address: "127.0.0.1:0")
        try server.start()
        defer { server.stop() }
        guard case .tcp(_, let port) = server.address else { throw Failure(description: "the server has no port") }
        let objects = try Self.subjects()
        let socket = bench_connect(port)
        let bare = bench_connect(bench_start_bare_server())
        guard socket >= 0, bare >= 0 else { throw Failure(description: "a server cannot be reached") }
        let kinds = [
            Kind(name: Contest.bare, path: "/", socket: bare),
            Kind(name: "healthz", path: "/healthz", socket: socket),
            Kind(name: "summary", path: "/api/v1/summary", socket: socket),
            Kind(name: "instances", path: "/api/v1/instances?limit=100", socket: socket),
            Kind(name: "types", path: "/api/v1/types", socket: socket),
            Kind(name: "metrics", path: "/metrics", socket: socket),
            Kind(name: "overdue", path: "/api/v1/overdue", socket: socket),
            Kind(name: "timeline", path: "/api/v1/timeline", socket: socket),
        ]
        let figures = try measure(kinds.filter { only.isEmpty || $0.name == Contest.bare || only.contains($0.name) })
        withExtendedLifetime(objects) {}
        return figures
    }

    private static func subjects() throws -> [TracedObject] {
        let objects = RequestSubjects.make(live)
        let registry = LifetimeRegistry.shared
        for object in objects.prefix(overdue) {
            try registry.expectDeallocation(of: object, within: .nanoseconds(1), because: "benchmark")
        }
        registry.check()
        let found = registry.summary().overdue
        guard found == overdue else { throw Failure(description: "\(found) instances are overdue") }
        return objects
    }

    private func measure(_ kinds: [Kind]) throws -> [Figure] {
        var costs = [[Double]](repeating: [], count: kinds.count)
        var sizes = [Int64](repeating: 0, count: kinds.count)
        // The first round is not counted: it fills caches.
        for round in 0...rounds {
            for (index, kind) in kinds.enumerated() {
                let before = bench_cpu_of_others()
                for _ in 0..<Self.requests {
                    sizes[index] = bench_get(kind.socket, kind.path)
                    guard sizes[index] >= 0 else { throw Failure(description: "\(kind.path) was not answered") }
                }
                let cost = Double(bench_cpu_of_others() - before) / Double(Self.requests) / 1000
                if round > 0 { costs[index].append(cost) }
            }
        }
        let figures = kinds.indices.flatMap { index in
            [Figure("http", kinds[index].name, unit: "µs", Spread(of: costs[index]))]
                + (index == 0
                    ? []
                    : [
                        Figure(
                            "http", kinds[index].name, ratioTo: Contest.bare,
                            Spread(ofRatios: costs[index], to: costs[0]))
                    ])
        }
        return figures
            + kinds.indices.map { index in
                Figure("http-bytes", kinds[index].name, unit: "kB", Spread(exactly: Double(sizes[index]) / 1000))
            }
    }
}
