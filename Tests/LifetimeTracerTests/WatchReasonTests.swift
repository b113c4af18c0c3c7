import Testing

@testable import LifetimeTracer

/// A death looks only into the tables that contain the instance, so it must find the instance in each of several.
@Suite struct WatchReasonTests {
    private final class Parts {
        let bench = Bench()
        let deaths = Locked(0)
        var object: Plain?
        var token: ObserverToken?

        init() { object = bench.make { Plain() } }

        /// Puts the instance into one of the tables.
        func enter(_ table: Int) throws {
            let object = try #require(object)
            switch table {
            case 0: try bench.registry.expectDeallocation(of: object, within: .seconds(1), because: "closed")
            case 1: bench.registry.setLabel("the one", of: object.lifetimeID)
            case 2: token = ObserverToken(.notification, event: "shown", owner: object) {}
            default: _ = bench.registry.onDeath(of: object.lifetimeID) { [deaths] in deaths.withLock { $0 += 1 } }
            }
        }
    }

    @Test(arguments: [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1]])
    func deathIsReportedToAllTablesThatContainTheInstance(order: [Int]) throws {
        let parts = Parts()
        for table in order { try parts.enter(table) }
        parts.bench.clock.advance(by: .seconds(5))
        parts.object = nil
        parts.bench.pass(.seconds(1))
        let late = parts.bench.registry.snapshot().late
        #expect(late.map(\.label) == ["the one"])
        #expect(parts.bench.registry.summary().tokens.orphaned == 1)
        #expect(parts.deaths.withLock { $0 } == 1)
    }

    @Test(arguments: 0..<4) func deathIsReportedToTheOnlyTableThatContainsTheInstance(table: Int) throws {
        let parts = Parts()
        try parts.enter(table)
        parts.bench.clock.advance(by: .seconds(5))
        parts.object = nil
        parts.bench.pass(.seconds(1))
        #expect(parts.bench.registry.snapshot().late.count == (table == 0 ? 1 : 0))
        #expect(parts.bench.registry.summary().tokens.orphaned == (table == 2 ? 1 : 0))
        #expect(parts.deaths.withLock { $0 } == (table == 3 ? 1 : 0))
    }
}
