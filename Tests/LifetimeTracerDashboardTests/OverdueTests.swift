import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard

/// Culprits and victims among overdue instances.
@Suite struct OverdueTests {
    private func search(
        _ holders: [UInt64: [UInt64]], suspects: Set<UInt64>
    ) -> [UInt64: UInt64] {
        var search = CulpritSearch(
            holders: { (holders[$0.rawValue] ?? []).map(InstanceID.init) },
            isSuspect: { suspects.contains($0.rawValue) })
        var culprits: [UInt64: UInt64] = [:]
        for suspect in suspects.shuffled() {
            culprits[suspect] = search.culprit(of: InstanceID(rawValue: suspect)).rawValue
        }
        return culprits
    }

    @Test(
        arguments: [
            // An instance without a holder.
            ([:], [1], [1: 1]),
            // A chain with an instance in it that is not overdue.
            ([3: [2], 2: [1]], [1, 3], [1: 1, 3: 1]),
            // A holder that is not overdue is not a culprit.
            ([2: [1]], [2], [2: 2]),
            // Two instances that hold each other. The one with the lower id is the culprit, in any order of the search.
            ([1: [2], 2: [1]], [1, 2], [1: 1, 2: 1]),
            // A victim of such a cycle, with a lower id.
            ([1: [3], 3: [2], 2: [3]], [1, 2, 3], [1: 2, 2: 2, 3: 2]),
            // The cycle is held from outside.
            ([1: [2], 2: [1, 9]], [1, 2, 9], [1: 9, 2: 9, 9: 9]),
            // The owner takes precedence over the parent.
            ([1: [5, 4]], [1, 4, 5], [1: 5, 4: 4, 5: 5]),
            // The owner is not overdue.
            ([1: [5, 4]], [1, 4], [1: 4, 4: 4]),
            // An instance that holds itself.
            ([1: [1]], [1], [1: 1]),
            // Two paths to the same holder.
            ([1: [2, 3], 2: [4], 3: [4], 4: []], [1, 2, 3, 4], [1: 4, 2: 4, 3: 4, 4: 4]),
            // A cycle inside a cycle.
            ([1: [2], 2: [3, 1], 3: [1, 4], 4: [3]], [2, 4], [2: 2, 4: 2]),
        ] as [([UInt64: [UInt64]], Set<UInt64>, [UInt64: UInt64])])
    func culpritsAreFound(_ holders: [UInt64: [UInt64]], _ suspects: Set<UInt64>, _ expected: [UInt64: UInt64]) {
        for _ in 0..<10 { #expect(search(holders, suspects: suspects) == expected) }
    }

    @Test func groupOfManyInstancesListsAsManyAsRequested() throws {
        let bench = Bench()
        let flows = bench.registry.withCurrent { (0..<150).map { _ in Flow() } }
        for flow in flows {
            try bench.registry.expectDeallocation(of: flow, within: .seconds(1), because: "flow ended")
        }
        bench.pass(.seconds(2))
        for (query, listed) in [("", 100), ("?instances=0", 0), ("?instances=7", 7)] {
            let group = try bench.json("/api/v1/overdue\(query)")["groups"][0]
            #expect(group["instances"].array.count == listed)
            #expect(group["overdue"].int == 150 && group["culprits"].int == 150)
        }
        #expect(bench.get("/api/v1/overdue?instances=101").status == 400)
        withExtendedLifetime(flows) {}
    }

    @Test func culpritIsFoundInAVeryDeepTree() {
        // Far deeper than a recursion could go.
        let depth = UInt64(50_000)
        let holders = Dictionary(uniqueKeysWithValues: (2...depth).map { ($0, [$0 - 1]) })
        #expect(search(holders, suspects: [1, depth, depth / 2]) == [1: 1, depth: 1, depth / 2: 1])
    }

    @Test func culpritIsFoundThroughOwnersOfOwners() throws {
        let bench = Bench()
        let registry = bench.registry
        let (screen, model, coordinator) = registry.withCurrent { (TextScreen(), Session(), Flow()) }
        model.setLifetimeOwner(screen)
        coordinator.setLifetimeOwner(model)
        let other = registry.withCurrent { TextScreen(label: "second") }
        for object in [screen, model, coordinator, other] as [TracedObject] {
            try registry.expectDeallocation(of: object, within: .seconds(1), because: "flow ended")
        }
        bench.pass(.seconds(2))
        let overdue = try bench.json("/api/v1/overdue")
        #expect(overdue["total"].int == 1)
        let group = overdue["groups"][0]
        #expect(group["type"].string == "LifetimeTracerDashboardTests.TextScreen")
        #expect(group["overdue"].int == 4)
        #expect(group["instances"].array.compactMap { $0["id"].int } == [1, 2, 3, 4])
        #expect(
            group["instances"].array.compactMap { $0["role"].string } == ["culprit", "victim", "victim", "culprit"])
        withExtendedLifetime((screen, model, coordinator, other)) {}
    }

    @Test func lateInstancesKeepTheirRoles() throws {
        let bench = Bench()
        let registry = bench.registry
        var screen: TextScreen? = registry.withCurrent { TextScreen() }
        var model: Session? = registry.withCurrent { Session(label: nil, owner: screen) }
        if let screen, let model {
            try registry.expectDeallocation(of: screen, within: .seconds(1), because: "popped")
            try registry.expectDeallocation(of: model, within: .seconds(1), because: "popped")
        }
        bench.pass(.seconds(3))
        screen = nil
        model = nil
        registry.check()
        let overdue = try bench.json("/api/v1/overdue")
        #expect(overdue["late"].int == 2)
        #expect(overdue["overdue"].int == 0)
        #expect(overdue["groups"][0]["instances"].array.compactMap { $0["role"].string } == ["culprit", "victim"])
        #expect(overdue["groups"][0]["instances"][0]["overdueSeconds"].double == 2)
    }

    @Test func groupListsAtMostAHundredInstances() throws {
        let bench = Bench()
        var sessions = bench.registry.withCurrent { (0..<130).map { _ in Session() } }
        for session in sessions {
            try bench.registry.expectDeallocation(of: session, within: .seconds(1), because: "logged out")
        }
        bench.pass(.seconds(2))
        sessions.removeFirst(50)
        bench.registry.check()
        let group = try bench.json("/api/v1/overdue")["groups"][0]
        #expect(group["overdue"].int == 80)
        #expect(group["late"].int == 50)
        let states = group["instances"].array.compactMap { $0["state"].string }
        #expect(states == Array(repeating: "overdue", count: 80) + Array(repeating: "late", count: 20))
        withExtendedLifetime(sessions) {}
    }

    @Test func theFirstMissedDeadlineCounts() throws {
        let bench = Bench()
        let session = bench.registry.withCurrent { Session() }
        try bench.registry.expectDeallocation(of: session, within: .seconds(2), because: "second")
        try bench.registry.expectDeallocation(of: session, within: .seconds(1), because: "first")
        bench.pass(.seconds(3))
        let overdue = try bench.json("/api/v1/overdue")
        #expect(overdue["overdue"].int == 1)
        #expect(overdue["groups"][0]["reason"].string == "first")
        withExtendedLifetime(session) {}
    }
}
