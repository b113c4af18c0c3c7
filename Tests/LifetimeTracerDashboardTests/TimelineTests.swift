import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard

/// The lifetimes of recent instances.
@Suite struct TimelineTests {
    private func lane(_ name: String, _ timeline: JSON) throws -> JSON {
        try #require(timeline["lanes"].array.first { $0["type"].string?.hasSuffix(".\(name)") == true })
    }

    private func ids(_ lane: JSON) -> [Int] { lane["lifetimes"].array.compactMap { $0["id"].int } }

    @Test func recentBirthsAndDeathsAreListed() throws {
        let bench = Bench()
        let old = bench.registry.withCurrent { Session(label: "old") }
        bench.pass(.seconds(100))
        var brief: Session? = bench.registry.withCurrent { Session(label: "brief") }
        let young = bench.registry.withCurrent { Session(label: "young") }
        bench.pass(.seconds(10))
        #expect(brief != nil)
        brief = nil
        bench.pass(.seconds(5))
        let timeline = try bench.json("/api/v1/timeline?since=60")
        #expect(timeline["deaths"].string == "all" && timeline["deathsSince"].isNull)
        let lane = try lane("Session", timeline)
        #expect(ids(lane) == [2, 3])
        #expect(lane["liveSinceBefore"].int == 1 && lane["hidden"].int == 0 && lane["completeSince"].isNull)
        let lifetimes = lane["lifetimes"]
        #expect(lifetimes[0]["bornAt"].string == "2023-11-14T22:15:00.000Z")
        #expect(lifetimes[0]["goneAt"].string == "2023-11-14T22:15:10.000Z")
        #expect(lifetimes[1]["goneAt"].isNull && lifetimes[1]["label"].string == "young")
        // An instance that died before the start of the timeline is not listed.
        #expect(ids(try self.lane("Session", bench.json("/api/v1/timeline?since=3"))) == [])
        withExtendedLifetime((old, young)) {}
    }

    @Test func countsOfALaneIncludeWhatIsNotDrawn() throws {
        let bench = Bench()
        let number = Timeline.spansPerLane + 50
        let kept = bench.registry.withCurrent { (0..<number).map { _ in Session() } }
        bench.registry.withCurrent { for _ in 0..<30 { _ = Cell() } }
        bench.pass(.seconds(1))
        let timeline = try bench.json("/api/v1/timeline?limit=1")
        #expect(timeline["lanes"].array.count == 1)
        #expect(timeline["totals"]["live"].int == number && timeline["totals"]["died"].int == 30)
        #expect(timeline["totals"]["overdue"].int == 0 && timeline["totals"]["late"].int == 0)
        let lane = try lane("Session", bench.json("/api/v1/timeline"))
        // Bars that all reach the right end need a row each.
        #expect(ids(lane).count == TimelineRows.limit && lane["hidden"].int == number - TimelineRows.limit)
        #expect(lane["live"].int == number && lane["died"].int == 0 && lane["late"].int == 0)
        withExtendedLifetime(kept) {}
    }

    @Test func overdueTimeOfLifetimesIsReported() throws {
        let bench = Bench()
        let registry = bench.registry
        let leaked = registry.withCurrent { Flow() }
        var late: Flow? = registry.withCurrent { Flow() }
        let other = registry.withCurrent { Cell() }
        for flow in [leaked, late].compactMap(\.self) {
            try registry.expectDeallocation(of: flow, within: .seconds(2), because: "flow ended")
        }
        bench.pass(.seconds(5))
        late = nil
        bench.pass(.seconds(60))
        // This instance was born before the start of the timeline, but it is overdue and therefore listed.
        let timeline = try bench.json("/api/v1/timeline?since=10")
        #expect(timeline["lanes"][0]["type"].string?.hasSuffix(".Flow") == true, "lanes with overdue ones come first")
        let leakedLane = try lane("Flow", timeline)
        #expect(ids(leakedLane) == [1] && leakedLane["overdue"].int == 1 && leakedLane["liveSinceBefore"].int == 0)
        #expect(leakedLane["lifetimes"][0]["overdueAt"].string == "2023-11-14T22:13:22.000Z")
        let whole = try lane("Flow", bench.json("/api/v1/timeline?since=100"))
        #expect(ids(whole) == [1, 2])
        #expect(whole["lifetimes"][1]["overdueAt"].string == "2023-11-14T22:13:22.000Z")
        #expect(whole["lifetimes"][1]["goneAt"].string == "2023-11-14T22:13:25.000Z")
        withExtendedLifetime((leaked, other)) {}
    }

    @Test func lifetimesBeyondLaneLimitAreCounted() throws {
        let bench = Bench()
        for _ in 0..<Timeline.spansPerLane + 10 {
            _ = bench.registry.withCurrent { Session() }
            bench.pass(.milliseconds(500))
        }
        let lane = try lane("Session", bench.json("/api/v1/timeline"))
        #expect(lane["lifetimes"].array.count == Timeline.spansPerLane)
        #expect(ids(lane).first == 11 && lane["hidden"].int == 10)
        // The tenth instance died 4.5 s after the first was born.
        #expect(lane["completeSince"].string == "2023-11-14T22:13:24.500Z")
    }

    @Test func lifetimesWithoutRoomInTheDrawingAreLeftOut() throws {
        let bench = Bench()
        let registry = bench.registry
        // Lives of no time: 17 bars of two units beside each other in each row of 100 seconds.
        for _ in 0..<30 { _ = registry.withCurrent { Session() } }
        bench.pass(.seconds(50))
        let leaked = registry.withCurrent { (0..<3).map { _ in Session() } }
        for session in leaked {
            try registry.expectDeallocation(of: session, within: .seconds(1), because: "logged out")
        }
        let live = registry.withCurrent { (0..<20).map { _ in Session() } }
        bench.pass(.seconds(50))
        let lane = try lane("Session", bench.json("/api/v1/timeline?since=100"))
        // 14 rows: the first dead ones, and behind them the three overdue and the first live ones.
        #expect(ids(lane) == Array(1...14) + Array(31...44))
        #expect(lane["hidden"].int == 16 + 9 && lane["overdue"].int == 3)
        #expect(lane["completeSince"].string == "2023-11-14T22:13:20.000Z")
        withExtendedLifetime((leaked, live)) {}
    }

    @Test func pageAndServerDrawAsManyRows() {
        let script = Bench().get("/app.js").text
        #expect(script.contains("const ROWS = \(TimelineRows.limit);\n"))
    }

    @Test func startOfRememberedDeathsIsReported() throws {
        var configuration = RegistryConfiguration()
        configuration.rememberedDeathLimit = 3
        let bench = Bench(configuration: configuration)
        for _ in 0..<5 {
            _ = bench.registry.withCurrent { Session() }
            bench.pass(.seconds(1))
        }
        let timeline = try bench.json("/api/v1/timeline")
        #expect(ids(try lane("Session", timeline)) == [3, 4, 5])
        #expect(timeline["deathsSince"].string == "2023-11-14T22:13:22.000Z")
    }

    @Test func sharedRegistryDoesNotRememberAllDeaths() {
        // In the shared registry, remembering every death would cost the program time.
        #expect(!LifetimeRegistry.shared.rememberedDeaths().coversAll)
        #expect(LifetimeRegistry().rememberedDeaths().coversAll)
    }

    @Test func lanesAreFilteredAndPaged() throws {
        let bench = Bench()
        let some = bench.registry.withCurrent { (Session(), Flow(), Cell()) }
        #expect(try bench.json("/api/v1/timeline?filter=SESS")["total"].int == 1)
        let first = try bench.json("/api/v1/timeline?limit=2")
        #expect(first["total"].int == 3 && first["lanes"].array.count == 2)
        let next = try #require(first["next"].string)
        #expect(try bench.json("/api/v1/timeline?limit=2&after=\(next)")["lanes"].array.count == 1)
        #expect(bench.get("/api/v1/timeline?since=0").status == 400)
        withExtendedLifetime(some) {}
    }
}
