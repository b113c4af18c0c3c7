import CBareServer
import LifetimeTracer
import LifetimeTracerServer
import Reporting

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The cost of a server that shows a large registry: how long each kind of request holds the server's thread, during
/// which other clients wait, and the server's share of an open page.
///
/// 8,191 types are live. The share is measured with one instance of each, and the rest with a million instances,
/// 100,000 of them overdue. Both are CPU times, which other work on the machine hardly changes.
struct LargeRequests {
    let only: [String]
    let isQuick: Bool

    private static let types = 8191
    /// The name that libmicrohttpd gives its thread.
    private static let thread = "MHD-single"

    private static let paths = [
        ("healthz", "/healthz"), ("summary", "/api/v1/summary"), ("instances", "/api/v1/instances"),
        ("instances-youngest", "/api/v1/instances?sort=age&order=asc"),
        ("instances-by-type", "/api/v1/instances?sort=type"), ("types", "/api/v1/types"),
        ("types-by-age", "/api/v1/types?sort=oldestAge"), ("metrics", "/metrics"), ("overdue", "/api/v1/overdue"),
        ("timeline", "/api/v1/timeline"), ("tokens", "/api/v1/tokens"), ("history", "/api/v1/history"),
        ("openapi", "/api/v1/openapi.json"), ("page", "/"), ("diff", "/api/v1/diff?from=start&to=now"),
    ]

    func run() throws -> [Figure] {
        let server = TracerServer(address: "127.0.0.1:0")
        try server.start()
        defer { server.stop() }
        guard case .tcp(_, let port) = server.address else {
            throw RequestCosts.Failure(description: "the server has no port")
        }
        let socket = bench_connect(port)
        let stream = bench_connect(port)
        guard socket >= 0, stream >= 0 else { throw RequestCosts.Failure(description: "the server cannot be reached") }
        _ = try LifetimeRegistry.shared.setMark("start")
        let makers = (0..<Self.types).map(ManySubjects.maker)
        var objects = makers.map { $0() }
        guard bench_follow(stream, "/api/v1/events") == 0 else {
            throw RequestCosts.Failure(description: "there are no events")
        }
        var figures = try share(socket)
        let live = isQuick ? 200_000 : 1_000_000
        objects.reserveCapacity(live)
        while objects.count < live { objects.append(makers[objects.count % makers.count]()) }
        try makeOverdue(objects.prefix(live / 10))
        figures += try holds(socket)
        withExtendedLifetime(objects) {}
        return figures
    }

    private func makeOverdue(_ objects: ArraySlice<TracedObject>) throws {
        let registry = LifetimeRegistry.shared
        for object in objects {
            try registry.expectDeallocation(of: object, within: .nanoseconds(1), because: "benchmark")
        }
        registry.check()
        guard registry.summary().overdue == objects.count else {
            throw RequestCosts.Failure(description: "the instances are not overdue")
        }
    }

    /// The share of a processor that ticks and the requests of the page's list of types take.
    private func share(_ socket: Int32) throws -> [Figure] {
        let views = [
            ("types", "/api/v1/types?offset=0&limit=50"),
            ("types-by-name", "/api/v1/types?sort=name&offset=8000&limit=50"),
        ]
        return try views.filter { only.isEmpty || only.contains($0.0) }.map { name, path in
            _ = bench_get(socket, path)
            var shares: [Double] = []
            for _ in 0..<(isQuick ? 5 : 15) {
                let before = bench_cpu_of_others()
                guard bench_get(socket, path) > 0 else { throw RequestCosts.Failure(description: "\(path) failed") }
                usleep(1_000_000)
                shares.append(Double(bench_cpu_of_others() - before) / 1e7)
            }
            return Figure("http-busy", name, unit: "%", Spread(of: shares))
        }
    }

    private func holds(_ socket: Int32) throws -> [Figure] {
        try Self.paths.filter { only.isEmpty || only.contains($0.0) }.map { name, path in
            var times: [Double] = []
            for _ in 0..<(isQuick ? 5 : 20) {
                let before = bench_cpu_of_thread(Self.thread)
                guard bench_get(socket, path) > 0 else { throw RequestCosts.Failure(description: "\(path) failed") }
                times.append(Double(bench_cpu_of_thread(Self.thread) - before) / 1e6)
            }
            return Figure("http-hold", name, unit: "ms", Spread(of: times))
        }
    }
}
