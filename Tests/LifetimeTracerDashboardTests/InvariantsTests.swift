import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard

@Suite struct InvariantsTests {
    @Test func eachInvariantIsSentWithItsCounts() throws {
        let bench = Bench()
        let registry = bench.registry
        try registry.expect(1, of: Session.self, forEach: Navigation.self, because: "one user a window")
        try registry.expect(2, of: Cell.self, forEach: TextScreen.self, because: "a \"pair\" of cells")
        let objects: [TracedObject] = registry.withCurrent { [Navigation(), Session(), TextScreen(), Cell()] }
        bench.pass(.zero)
        bench.pass(.milliseconds(1500))
        try Golden.expect(bench.get("/api/v1/invariants").text, equals: "invariants.json")
        #expect(registry.summary().brokenInvariants == 1)
        withExtendedLifetime(objects) {}
    }

    @Test func stateFiltersBrokenAndKeptInvariants() throws {
        let bench = Bench()
        let registry = bench.registry
        try registry.expect(1, of: Session.self, forEach: Navigation.self, because: "broken")
        try registry.expect(1, of: Cell.self, forEach: TextScreen.self, because: "kept")
        let navigation = registry.withCurrent { Navigation() }
        #expect(try reasons(bench, "state=broken").isEmpty, "not for longer than the grace")
        bench.pass(.zero)
        bench.pass(.seconds(2))
        #expect(try reasons(bench, "state=broken") == ["broken"])
        #expect(try reasons(bench, "state=kept") == ["kept"])
        #expect(try reasons(bench, "limit=1") == ["broken"])
        #expect(bench.get("/api/v1/invariants?state=fine").status == 400)
        withExtendedLifetime(navigation) {}
    }

    private func reasons(_ bench: Bench, _ query: String) throws -> [String?] {
        try bench.json("/api/v1/invariants?\(query)")["invariants"].array.map { $0["reason"].string }
    }
}
