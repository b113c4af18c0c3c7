import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard

/// The query parameters of lists.
@Suite struct QueryTests {
    private func ids(_ bench: Bench, _ query: String) throws -> [Int] {
        try bench.json("/api/v1/instances\(query)")["instances"].array.compactMap { $0["id"].int }
    }

    @Test func typesWithABudgetCanBeListed() throws {
        let story = try Story()
        let all = try story.bench.json("/api/v1/types?budget=set")
        #expect(all["types"].array.map { $0["budget"].int } == [1])
        let over = try story.bench.json("/api/v1/types?budget=over")["types"]
        #expect(over.array.count == 1 && over[0]["type"].string?.hasSuffix(".Session") == true)
        try story.bench.registry.setBudget(10, for: Session.self)
        #expect(try story.bench.json("/api/v1/types?budget=over")["total"].int == 0)
    }

    @Test func typesWithAMaximumAgeCanBeListed() throws {
        let story = try Story()
        #expect(try story.bench.json("/api/v1/types?maximumAge=set")["total"].int == 0)
        try story.bench.registry.setMaximumAge(.seconds(60), for: Session.self)
        let types = try story.bench.json("/api/v1/types?maximumAge=set")["types"].array
        #expect(types.map { $0["maximumAgeSeconds"].double } == [60])
        #expect(story.bench.get("/api/v1/types?maximumAge=over").status == 400)
    }

    @Test func differenceListsTokensAndSortsSurvivors() throws {
        let story = try Story()
        let diff = try story.bench.json("/api/v1/diff?from=before")
        let tokens = diff["tokens"].array
        #expect(tokens.map { $0["kept"].int ?? 0 } == tokens.map { $0["kept"].int ?? 0 }.sorted(by: >))
        #expect(tokens.contains { $0["event"].string == "prices" && $0["ownerType"].isNull && $0["kept"].int == 1 })
        let ids = { (query: String) in
            try story.bench.json("/api/v1/diff?from=before\(query)")["survivors"].array.compactMap { $0["id"].int }
        }
        let ascending = try ids("")
        #expect(ascending == ascending.sorted() && ascending.count > 1)
        #expect(try ids("&order=desc") == ascending.reversed())
        #expect(try ids("&sort=age") == ascending)
        #expect(try ids("&sort=age&order=asc") == ascending.reversed())
        #expect(try Set(ids("&sort=type")) == Set(ascending))
    }

    @Test func instancesAreFilteredAndSorted() throws {
        let story = try Story()
        let bench = story.bench
        #expect(try ids(bench, "?type=Session") == [4, 5])
        #expect(try ids(bench, "?type=LifetimeTracerDashboardTests.Session") == [4, 5])
        #expect(try ids(bench, "?type=Flow") == [])
        #expect(try ids(bench, "?verdict=overdue") == [2, 3])
        #expect(try ids(bench, "?verdict=over-budget") == [4, 5])
        #expect(try ids(bench, "?verdict=none") == [1])
        #expect(try ids(bench, "?verdict=orphan-owner") == [])
        #expect(try ids(bench, "?label=session") == [4, 5])
        #expect(try ids(bench, "?label=session+2") == [5])
        #expect(try ids(bench, "?label=%3Cb%3E") == [2])
        #expect(try ids(bench, "?bornAfterMark=before") == [4, 5])
        #expect(try ids(bench, "?olderThan=5.74") == [1, 2, 3, 4, 5])
        #expect(try ids(bench, "?olderThan=5.75") == [])
        #expect(try ids(bench, "?order=desc&limit=2") == [5, 4])
        #expect(try ids(bench, "?sort=age&limit=2") == [1, 2])
        #expect(try ids(bench, "?sort=type") == [3, 1, 4, 5, 2])
        #expect(try bench.json("/api/v1/instances?limit=2")["total"].int == 5)
    }

    @Test func instancesWithDeadOwnerAreFound() throws {
        let bench = Bench()
        var owner: Flow? = bench.registry.withCurrent { Flow() }
        let session = bench.registry.withCurrent { Session(label: nil, owner: owner) }
        #expect(try ids(bench, "?verdict=orphan-owner") == [])
        owner = nil
        #expect(try ids(bench, "?verdict=orphan-owner") == [2])
        let detail = try bench.json("/api/v1/instances/2")
        #expect(detail["owner"]["live"].bool == false)
        #expect(detail["owner"]["type"].string == "LifetimeTracerDashboardTests.Flow")
        withExtendedLifetime(session) {}
    }

    @Test func instancesOfGroupOverBudgetAreFound() throws {
        let bench = Bench()
        bench.registry.assign(Session.self, toGroup: "all")
        try bench.registry.setBudget(1, forGroup: "all")
        let sessions = bench.registry.withCurrent { [Session(), Session()] }
        #expect(try ids(bench, "?verdict=over-budget") == [1, 2])
        #expect(try bench.json("/api/v1/types")["groups"][0]["overBudget"].bool == true)
        withExtendedLifetime(sessions) {}
    }

    @Test(arguments: [
        ("", ["Session", "Cell", "Navigation", "TextScreen", "Flow"]),
        ("?sort=name", ["Cell", "Flow", "Navigation", "Session", "TextScreen"]),
        ("?sort=name&order=desc", ["TextScreen", "Session", "Navigation", "Flow", "Cell"]),
        ("?sort=peak", ["Flow", "Session", "Cell", "Navigation", "TextScreen"]),
        ("?sort=died", ["Flow", "Cell", "Navigation", "Session", "TextScreen"]),
        ("?sort=overdue", ["Cell", "TextScreen", "Flow", "Navigation", "Session"]),
        ("?sort=oldestAge", ["Cell", "Navigation", "Session", "TextScreen", "Flow"]),
        ("?sort=oldestAge&order=asc", ["Flow", "Cell", "Navigation", "Session", "TextScreen"]),
        ("?sort=live&order=asc", ["Flow", "Cell", "Navigation", "TextScreen", "Session"]),
        ("?filter=SESS", ["Session"]), ("?filter=dashboardtests.c", ["Cell"]), ("?filter=zzz", []),
        ("?group=screens", ["Cell", "TextScreen"]),
    ])
    func typesAreFilteredAndSorted(_ query: String, _ expected: [String]) throws {
        let story = try Story()
        let names = try story.bench.json("/api/v1/types\(query)")["types"].array.compactMap { $0["name"].string }
        #expect(names == expected)
    }

    @Test(arguments: [
        ("?state=orphaned", [5]), ("?state=inForce", [1, 2, 3, 4]), ("?kind=notification", [1, 2, 5]),
        ("?event=poll", [3]), ("?ownerType=LifetimeTracerDashboardTests.TextScreen", [1, 2]), ("?kind=request", []),
        ("?event=reload", []), ("?kind=notification&state=inForce", [1, 2]),
    ])
    func tokensAreFiltered(_ query: String, _ expected: [Int]) throws {
        let story = try Story()
        let ids = try story.bench.json("/api/v1/tokens\(query)")["tokens"].array.compactMap { $0["id"].int }
        #expect(ids == expected)
    }

    @Test func groupsOfFilteredTokensAreListed() throws {
        let story = try Story()
        let groups = try story.bench.json("/api/v1/tokens?groupBy=event&kind=notification")["groups"].array
        #expect(groups.compactMap { $0["event"].string } == ["keyboardWillShow", "keyboardWillHide"])
    }

    @Test(arguments: [
        ("orphaned", ["keyboardWillHide"]), ("inForce", ["keyboardWillShow", "poll", "prices"]),
    ])
    func groupsAreFilteredByStateOfTokens(_ state: String, _ expected: [String]) throws {
        let story = try Story()
        let groups = try story.bench.json("/api/v1/tokens?groupBy=event&state=\(state)")["groups"].array
        #expect(groups.compactMap { $0["event"].string } == expected)
    }

    @Test func historyIsLimitedAndThinned() throws {
        let bench = Bench()
        for _ in 0..<30 { bench.pass(.seconds(1)) }
        #expect(try bench.json("/api/v1/history")["samples"].array.count == 31)
        #expect(try bench.json("/api/v1/history?since=5")["samples"].array.count == 6)
        let thinned = try bench.json("/api/v1/history?step=10")
        #expect(thinned["stepSeconds"].int == 10)
        #expect(
            thinned["samples"].array.compactMap { $0["time"].string?.suffix(7).prefix(2) } == ["29", "39", "49", "50"])
        #expect(try bench.json("/api/v1/history?since=999999999&step=3600")["samples"].array.count == 1)
    }

    @Test func deadUnbornAndUnlistedInstancesHaveOwnErrors() throws {
        var configuration = RegistryConfiguration()
        configuration.rememberedDeathLimit = 1
        configuration.instanceLimit = 2
        let bench = Bench(configuration: configuration)
        for _ in 0..<3 { _ = bench.registry.withCurrent { Session() } }
        let forgotten = bench.get("/api/v1/instances/1")
        #expect(forgotten.errorCode == "instanceDied")
        #expect(try JSON(forgotten)["error"]["diedAt"].isNull)
        #expect(try JSON(bench.get("/api/v1/instances/3"))["error"]["diedAt"].string == "2023-11-14T22:13:20.000Z")
        #expect(bench.get("/api/v1/instances/4").errorHint.contains("3"))
        #expect(bench.get("/api/v1/instances/0").errorCode == "invalidParameter")
        let live = bench.registry.withCurrent { (0..<3).map { _ in Session() } }
        #expect(bench.get("/api/v1/instances/6").errorCode == "instanceNotListed")
        withExtendedLifetime(live) {}
    }

    @Test func realDashboardReportsItsProcess() throws {
        let registry = LifetimeRegistry()
        let dashboard = Dashboard(registry: registry)
        let request = { HTTPRequest(method: "GET", target: $0, headers: [HTTPHeaders.Field("Host", "localhost")]) }
        #expect(dashboard.respond(to: request("/healthz")).status == 200)
        let process = try JSON(dashboard.respond(to: request("/api/v1/summary")))["process"]
        #expect(process["pid"].int == Int(ProcessFacts.current(fallbackStart: WallTime(nanosecondsSince1970: 0)).pid))
        #expect(process["libraryVersion"].string == TracerVersion.current)
        #expect(process["name"].string?.isEmpty == false)
        #expect(process["host"].string?.isEmpty == false)
        // The process started before now and not days ago, because it runs a test.
        let uptime = try #require(process["uptimeSeconds"].double)
        #expect(uptime > 0 && uptime < 86_400)
    }
}
