import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard
@testable import RetainPaths

/// Known retain paths distinguish culprits from victims, and one leak from another.
@Suite(.timeLimit(.minutes(20))) struct RetainGroupTests {
    /// Sessions that are overdue for the same reason, each with the explanation for its id.
    private static func overdue(
        _ count: Int, explained ids: [Int]? = nil, owner: Int? = nil,
        _ explain: @escaping @Sendable (UInt64, InstanceID) -> RetainExplanation
    ) async throws -> (JSON, [Session]) {
        let explainer = HeldExplainer()
        let bench = Bench(explainer: explainer.explainer)
        let sessions = bench.registry.withCurrent { (0..<count).map { _ in Session() } }
        if let owner = owner.map({ sessions[$0 - 1] }) {
            for session in sessions where session !== owner { session.setLifetimeOwner(owner) }
        }
        // The search begins before the instances are overdue, so that it covers only the requested ones.
        let asked = ids ?? Array(1...count)
        _ = bench.post("/api/v1/retain-paths", "{\"ids\":[\(asked.map(String.init).joined(separator: ","))]}")
        try await explainer.next().finish { explain($0.rawValue, $0) }
        _ = try await bench.answer("/api/v1/instances/\(asked[0])/retain-path")
        for session in sessions {
            try bench.registry.expectDeallocation(of: session, within: .seconds(1), because: "logged out")
        }
        bench.pass(.seconds(2))
        return (try bench.json("/api/v1/overdue"), sessions)
    }

    private static func ids(_ group: JSON) -> [Int] { group["instances"].array.compactMap { $0["id"].int } }
    private static func roles(_ group: JSON) -> [String] { group["instances"].array.compactMap { $0["role"].string } }

    @Test func withoutSearchNoRetainPathIsReported() async throws {
        let bench = Bench()
        let session = bench.registry.withCurrent { Session() }
        try bench.registry.expectDeallocation(of: session, within: .seconds(1), because: "logged out")
        bench.pass(.seconds(2))
        let overdue = try bench.json("/api/v1/overdue")
        #expect(overdue["groups"][0]["retainPath"].isNull && overdue["groups"][0]["known"].isNull)
        #expect(overdue["groups"][0]["instances"][0]["retainStatus"].isNull)
        withExtendedLifetime(session) {}
    }

    @Test func culpritComesFromTheRetainPath() async throws {
        let (overdue, sessions) = try await Self.overdue(3) { number, id in
            number == 1 ? .inACycle(id, culprit: InstanceID(rawValue: 3)) : .inAHub(id)
        }
        #expect(overdue["total"].int == 1)
        #expect(Self.ids(overdue["groups"][0]) == [2, 3, 1])
        #expect(Self.roles(overdue["groups"][0]) == ["culprit", "culprit", "victim"])
        #expect(overdue["groups"][0]["retainPath"]["instance"].int == 2)
        withExtendedLifetime(sessions) {}
    }

    @Test func retainPathOverridesDeclaredOwner() async throws {
        let (overdue, sessions) = try await Self.overdue(2, owner: 1) { number, id in
            number == 1 ? .inACycle(id, culprit: nil) : .inAHub(id)
        }
        #expect(overdue["total"].int == 2, "2 is held by a hub, whoever is said to own it")
        #expect(overdue["groups"].array.flatMap(Self.roles) == ["culprit", "culprit"])
        withExtendedLifetime(sessions) {}
    }

    @Test func instancesInACycleAreOneLeak() async throws {
        let (overdue, sessions) = try await Self.overdue(2, owner: 1) { _, id in .inACycle(id, culprit: nil) }
        #expect(overdue["total"].int == 1)
        #expect(Self.roles(overdue["groups"][0]) == ["culprit", "victim"], "the owner stands for both")
        withExtendedLifetime(sessions) {}
    }

    @Test func twoPathsAndAnUnexplainedInstanceAreThreeGroups() async throws {
        let (overdue, sessions) = try await Self.overdue(3, explained: [1, 2]) { number, id in
            number == 1 ? .inAHub(id) : .inACycle(id, culprit: nil)
        }
        #expect(overdue["total"].int == 3)
        let groups = overdue["groups"].array
        #expect(Set(groups.map(Self.ids)) == [[1], [2], [3]])
        #expect(Set(groups.compactMap { $0["fingerprint"].string }).count == 1, "they have the same verdict")
        #expect(groups.first { Self.ids($0) == [3] }?["retainPath"].isNull == true)
        withExtendedLifetime(sessions) {}
    }

    @Test func unexplainedInstancesJoinTheOnlyPath() async throws {
        let (overdue, sessions) = try await Self.overdue(3, explained: [2]) { _, id in .inAHub(id) }
        #expect(overdue["total"].int == 1)
        #expect(overdue["groups"][0]["overdue"].int == 3)
        #expect(overdue["groups"][0]["retainPath"]["instance"].int == 2)
        let statuses = overdue["groups"][0]["instances"].array.map { $0["retainStatus"].string }
        #expect(statuses == [nil, "reachable", nil])
        withExtendedLifetime(sessions) {}
    }

    @Test func knownLeakIsMarkedCountedAndListedLast() async throws {
        let file = #"[{"pattern":"Hub.subs → TextScreen","reason":"the old hub","expires":"2027-01-31"}]"#
        let known = try #require(try KnownLeaks(json: file).leaks.first)
        let (overdue, sessions) = try await Self.overdue(4) { number, id in
            switch number {
            case 1, 2: .inAHub(id, known: known)
            case 3: .inACycle(id, culprit: InstanceID(rawValue: 1))
            default: .inACycle(id, culprit: nil)
            }
        }
        #expect(overdue["overdue"].int == 4, "it is not hidden")
        #expect(overdue["known"].int == 3, "its victim goes with it")
        let groups = overdue["groups"].array
        #expect(groups.map(Self.ids) == [[4], [1, 3, 2]])
        #expect(groups[0]["known"].isNull)
        #expect(groups[1]["known"]["reason"].string == "the old hub")
        #expect(groups[1]["known"]["subject"].string == "Hub.subs → TextScreen")
        #expect(groups[1]["known"]["expires"].string == "2027-01-31")
        #expect(groups[1]["known"]["count"].int == 3)
        #expect(groups[1]["instances"].array.map { $0["known"].bool } == [true, true, true])
        withExtendedLifetime(sessions) {}
    }
}
