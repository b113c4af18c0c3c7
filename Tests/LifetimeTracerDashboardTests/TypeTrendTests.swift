import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard

/// The trends of types, and the offset at which a list of types can begin.
@Suite struct TypeTrendTests {
    private func trend(_ counts: [Int]) -> Trend {
        var trend = Trend()
        for count in counts { trend.append(count) }
        return trend
    }

    @Test func aTrendIsBounded() {
        let trend = trend(Array(0..<100))
        #expect(trend.counts == (40..<100).map { UInt32($0) })
        #expect(self.trend([.max]).counts == [.max])
    }

    @Test func sampleIsTakenEveryFiveSeconds() throws {
        let bench = Bench()
        var sessions: [Session] = []
        for _ in 0..<6 {
            bench.registry.withCurrent { sessions.append(Session()) }
            for _ in 0..<5 { bench.pass(.seconds(1)) }
        }
        let list = try bench.json("/api/v1/types")
        #expect(list["trendStepSeconds"].int == 5)
        #expect(list["types"][0]["trend"].array.compactMap(\.int) == [1, 2, 3, 4, 5, 6])
        sessions.removeAll()
        for _ in 0..<5 { bench.pass(.seconds(1)) }
        let after = try bench.json("/api/v1/types")["types"][0]
        #expect(after["trend"].array.compactMap(\.int) == [1, 2, 3, 4, 5, 6, 0])
    }

    @Test func typeListCanBeginAtAnOffset() throws {
        let story = try Story()
        let names = { (query: String) in
            try story.bench.json("/api/v1/types?sort=name&\(query)")["types"].array.compactMap { $0["name"].string }
        }
        #expect(try names("offset=0&limit=2") == ["Cell", "Flow"])
        #expect(try names("offset=3&limit=5") == ["Session", "TextScreen"])
        #expect(try names("offset=99") == [])
        let next = try #require(try story.bench.json("/api/v1/types?sort=name&offset=1&limit=2")["next"].string)
        #expect(try names("after=\(next)") == ["Session", "TextScreen"])
        #expect(try names("offset=1&after=\(next)") == ["TextScreen"])
        #expect(story.bench.get("/api/v1/types?offset=-1").errorCode == "invalidParameter")
        #expect(story.bench.get("/api/v1/marks?offset=1").errorCode == "unknownParameter")
    }

    @Test func orphanedTokensCanComeFirst() throws {
        let story = try Story()
        let states = { (query: String) in
            try story.bench.json("/api/v1/tokens\(query)")["tokens"].array.compactMap { $0["state"].string }
        }
        #expect(try states("").last == "orphaned")
        #expect(try states("?sort=orphaned").first == "orphaned")
        let groups = try story.bench.json("/api/v1/tokens?groupBy=event&sort=orphaned")["groups"]
        #expect(groups[0]["event"].string == "keyboardWillHide" && groups[0]["orphaned"].int == 1)
        let first = try story.bench.json("/api/v1/tokens?sort=orphaned&limit=2")
        let next = try #require(first["next"].string)
        let rest = try story.bench.json("/api/v1/tokens?sort=orphaned&after=\(next)")
        let ids = (first["tokens"].array + rest["tokens"].array).compactMap { $0["id"].int }
        #expect(Set(ids).count == first["total"].int)
    }
}
