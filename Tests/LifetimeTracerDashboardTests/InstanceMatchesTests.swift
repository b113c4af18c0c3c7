import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard

/// The results of a search in many instances equal those of a naive search.
@Suite struct InstanceMatchesTests {
    private let bench = Bench()
    private let objects: [TracedObject]

    init() {
        // The types and labels are in an order that every sort changes.
        objects = bench.registry.withCurrent {
            (0..<60).map { number in
                let label = number % 3 == 0 ? "third" : nil
                return switch number % 4 {
                case 0: TextScreen(label: label)
                case 1: Session(label: label)
                case 2: Cell(label: label)
                default: Flow(label: label)
                }
            }
        }
    }

    private func ids(_ target: String) throws -> [Int] {
        try bench.json(target)["instances"].array.compactMap { $0["id"].int }
    }

    @Test(arguments: ["", "&type=Session", "&type=LifetimeTracerDashboardTests.Cell"], ["", "&label=third"])
    func everyOrderMatchesANaiveSearch(_ type: String, _ label: String) throws {
        let name = type.split(whereSeparator: { "=.".contains($0) }).last.map(String.init)
        let wanted = bench.registry.snapshot().instances.filter { instance in
            (type.isEmpty || instance.type.name == name) && (label.isEmpty || instance.label == "third")
        }
        let oldestFirst = wanted.map { Int($0.id.rawValue) }
        let summary = bench.registry.summary()
        #expect(
            oldestFirst.count == (type.isEmpty ? 60 : 15) / (label.isEmpty ? 1 : 3),
            "\(summary.live) live of \(summary.born), listed \(oldestFirst)")
        let query = "/api/v1/instances?limit=500" + type + label
        #expect(try ids(query) == oldestFirst)
        #expect(try ids(query + "&sort=age") == oldestFirst)
        #expect(try ids(query + "&order=desc") == oldestFirst.reversed())
        #expect(try ids(query + "&sort=age&order=asc") == oldestFirst.reversed())
        for (order, isBefore) in [("asc", { $0 < $1 }), ("desc", { $0 > $1 })] as [(String, (String, String) -> Bool)] {
            let byType = wanted.sorted { left, right in
                left.type == right.type ? left.id < right.id : isBefore(left.type.qualified, right.type.qualified)
            }
            #expect(try ids(query + "&sort=type&order=\(order)") == byType.map { Int($0.id.rawValue) })
        }
        withExtendedLifetime(objects) {}
    }

    @Test(arguments: ["", "&order=desc", "&sort=type", "&type=Flow&order=desc"])
    func joinedPagesEqualTheWholeList(_ query: String) throws {
        let whole = try ids("/api/v1/instances?limit=500" + query)
        var joined: [Int] = []
        var after = ""
        repeat {
            let page = try bench.json("/api/v1/instances?limit=7" + query + after)
            joined += page["instances"].array.compactMap { $0["id"].int }
            #expect(page["total"].int == whole.count)
            after = page["next"].string.map { "&after=\($0)" } ?? ""
        } while !after.isEmpty && joined.count <= whole.count
        #expect(joined == whole)
        withExtendedLifetime(objects) {}
    }

    @Test func pageDoesNotReadAllInstances() throws {
        var made = 0
        let instance = try #require(bench.registry.snapshot().instances.first)
        let all = InstanceMatches(
            (0..<1_000_000).lazy.map { _ in
                made += 1
                return instance
            })
        let request = try PageRequest(
            RouteRequest(
                HTTPRequest(method: "GET", target: "/"),
                route: Route(.get, "/", summary: "", parameters: PageRequest.parameters) { _ in
                    HTTPResponse(status: 200)
                }, query: []))
        let page = request.page(of: all.backwards(), inKeyOrder: .descending) { $0.id.rawValue }
        #expect(page.total == 1_000_000 && page.entries.count == 100)
        #expect(made <= 102)
        withExtendedLifetime(objects) {}
    }
}
