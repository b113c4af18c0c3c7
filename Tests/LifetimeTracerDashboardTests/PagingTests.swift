import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard

/// Iteration over lists page by page.
@Suite struct PagingTests {
    /// All entries of a list, and the number of pages.
    private func walk(
        _ bench: Bench, _ target: String, _ key: String, limit: Int, between: () -> Void = {}
    ) throws -> (entries: [JSON], pages: Int) {
        var entries: [JSON] = []
        var pages = 0
        var after = ""
        while true {
            let separator = target.contains("?") ? "&" : "?"
            let page = try bench.json("\(target)\(separator)limit=\(limit)\(after)")
            entries += page[key].array
            pages += 1
            #expect(page[key].array.count <= limit)
            guard let next = page["next"].string, pages < 1000 else {
                #expect(page["next"].isNull)
                return (entries, pages)
            }
            after = "&after=\(next)"
            between()
        }
    }

    @Test(arguments: ["id", "age", "type"], ["asc", "desc"])
    func pagesOfInstancesAreComplete(_ sort: String, _ order: String) throws {
        let bench = Bench()
        let all = bench.registry.withCurrent {
            (0..<250).map { $0.isMultiple(of: 3) ? Session(label: "\($0)") : Flow(label: "\($0)") as TracedObject }
        }
        for limit in [1, 7, 100, 249, 250, 251, 500] {
            let (entries, pages) = try walk(
                bench, "/api/v1/instances?sort=\(sort)&order=\(order)", "instances", limit: limit)
            let ids = entries.compactMap { $0["id"].int }
            #expect(Set(ids) == Set(1...250))
            #expect(ids.count == 250)
            #expect(pages == (250 + limit - 1) / limit)
            switch (sort, order) {
            case ("id", "asc"), ("age", "desc"): #expect(ids == Array(1...250))
            case ("id", "desc"), ("age", "asc"): #expect(ids == (1...250).reversed())
            default:
                let types = entries.compactMap { $0["type"].string }
                #expect(order == "asc" ? types == types.sorted() : types == types.sorted().reversed())
            }
        }
        withExtendedLifetime(all) {}
    }

    @Test func noInstanceIsLostOrRepeatedWhileOthersDie() throws {
        let bench = Bench()
        var all: [UInt64: Session] = [:]
        for _ in 0..<100 {
            let session = bench.registry.withCurrent { Session() }
            all[session.lifetimeID.rawValue] = session
        }
        // After every page, the last entry of the page and an earlier one die, and a new instance is born.
        var newest: [Session] = []
        var lastSeen: UInt64 = 0
        let survivors = Set(all.keys.filter { !$0.isMultiple(of: 10) && $0 % 10 != 5 }.map { Int($0) })
        let (entries, _) = try walk(bench, "/api/v1/instances", "instances", limit: 10) {
            lastSeen += 10
            all[lastSeen] = nil
            all[lastSeen - 5] = nil
            newest.append(bench.registry.withCurrent { Session() })
        }
        let ids = entries.compactMap { $0["id"].int }
        #expect(Set(ids).count == ids.count)
        #expect(Set(ids).isSuperset(of: survivors))
        withExtendedLifetime((all, newest)) {}
    }

    @Test func pagesOfTokensAndGroupsAreComplete() throws {
        let bench = Bench()
        let tokens = (0..<120).map { number in
            ObserverToken(.hub, event: "event \(number % 40)", registry: bench.registry) {}
        }
        let listed = try walk(bench, "/api/v1/tokens", "tokens", limit: 50)
        #expect(listed.entries.compactMap { $0["id"].int } == Array(1...120))
        let groups = try walk(bench, "/api/v1/tokens?groupBy=event", "groups", limit: 7)
        #expect(groups.pages == 6)
        #expect(Set(groups.entries.compactMap { $0["event"].string }).count == 40)
        withExtendedLifetime(tokens) {}
    }

    @Test func pagesOfMarksAreComplete() throws {
        var configuration = RegistryConfiguration()
        configuration.markLimit = 30
        let bench = Bench(configuration: configuration)
        for number in 0..<30 { try bench.registry.setMark("mark \(number)") }
        let (entries, pages) = try walk(bench, "/api/v1/marks", "marks", limit: 4)
        #expect(entries.compactMap { $0["name"].string } == (0..<30).map { "mark \($0)" })
        #expect(pages == 8)
    }

    @Test func pagesOfOverdueGroupsAreComplete() throws {
        let bench = Bench()
        let sessions = bench.registry.withCurrent { (0..<30).map { _ in Session() } }
        for (number, session) in sessions.enumerated() {
            try bench.registry.expectDeallocation(of: session, within: .seconds(1), because: "reason \(number)")
        }
        bench.pass(.seconds(2))
        let (entries, pages) = try walk(bench, "/api/v1/overdue", "groups", limit: 4)
        #expect(Set(entries.compactMap { $0["fingerprint"].string }).count == 30)
        #expect(entries.count == 30)
        #expect(pages == 8)
        withExtendedLifetime(sessions) {}
    }

    @Test func pagesOfSurvivorsAreComplete() throws {
        let bench = Bench()
        try bench.registry.setMark("before")
        let sessions = bench.registry.withCurrent { (0..<25).map { _ in Session() } }
        let (entries, pages) = try walk(bench, "/api/v1/diff?from=before", "survivors", limit: 10)
        #expect(entries.compactMap { $0["id"].int } == Array(1...25))
        #expect(pages == 3)
        withExtendedLifetime(sessions) {}
    }
}
