import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard

/// Which requests a server should answer on another thread.
@Suite struct LongAnswerTests {
    private func takesLong(_ bench: Bench, _ target: String) -> Bool {
        bench.dashboard.takesLong(HTTPRequest(method: "GET", target: target))
    }

    @Test func listsOfASmallRegistryDoNotTakeLong() {
        let bench = Bench()
        for target in ["/", "/healthz", "/metrics", "/api/v1/summary", "/api/v1/types?limit=5", "/api/v1/overdue"] {
            #expect(!takesLong(bench, target), "\(target)")
        }
        for target in ["/api/v1/openapi.json", "/api/v1/history?since=3", "/api/v1/heaps/1/tasks"] {
            #expect(takesLong(bench, target), "\(target)")
        }
    }

    @Test func listsTakeLongWithManyOverdueInstancesOrTypes() throws {
        let bench = Bench()
        let objects = bench.registry.withCurrent { (0..<400).map { _ in Session() } }
        for object in objects {
            try bench.registry.expectDeallocation(of: object, within: .seconds(1), because: "test")
        }
        #expect(!takesLong(bench, "/api/v1/overdue"))
        bench.pass(.seconds(2))
        #expect(takesLong(bench, "/api/v1/overdue?limit=1") && takesLong(bench, "/metrics"))
        #expect(!takesLong(bench, "/api/v1/summary") && !takesLong(bench, "/healthz"))
        let other = Bench()
        let many = other.registry.withCurrent { (0..<501).map(ManyTypes.make) }
        #expect(takesLong(other, "/api/v1/types"))
        withExtendedLifetime((objects, many)) {}
    }
}
