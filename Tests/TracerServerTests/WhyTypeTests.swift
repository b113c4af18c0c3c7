import Foundation
import Testing

@testable import tracer_server

/// The output of `why` for a type, without a server.
@Suite struct WhyTypeTests {
    /// A server with the types `A.Screen` (7 live), `B.Screen` (`liveInB` live) and `A.Log` (none live).
    ///
    /// The instances 5 and 9 of `A.Screen` have the same holder; instance 6 has died meanwhile.
    private static func server(
        liveInB: Int = 0, fingerprint: String = "\"f\"", closure: @escaping @Sendable (Int) -> Int = { _ in 1 }
    ) -> CannedServer {
        let types = [
            Canned.type("A.Log", live: 0), Canned.type("A.Screen", live: 7), Canned.type("B.Screen", live: liveInB),
            Canned.type("A.TextScreen", live: 2),
        ]
        return CannedServer { path in
            let parts = path.split(separator: "?").map(String.init)
            switch parts[0] {
            case "api/v1/types":
                let filter = parts[1].split(separator: "&").first { $0.hasPrefix("filter=") }?.dropFirst(7) ?? ""
                return Canned.json(
                    Canned.types(types.filter { filter.isEmpty || $0.lowercased().contains(filter.lowercased()) }))
            case "api/v1/instances":
                let isEmpty = parts[1].contains("type=A.Log") || parts[1].contains("type=A.TextScreen")
                let ids = isEmpty ? [] : parts[1].contains("verdict=overdue") ? [9] : [5, 9, 6]
                let total = isEmpty ? 0 : parts[1].contains("verdict=overdue") ? 1 : 7
                let list = ids.map { "{\"id\":\($0)}" }.joined(separator: ",")
                return Canned.json("{\"total\":\(total),\"next\":null,\"instances\":[\(list)]}")
            case "api/v1/retain-paths":
                return Canned.json(#"{"asked":[9,5,6],"missing":[]}"#, status: 202)
            case "api/v1/instances/6/retain-path":
                return Canned.json(#"{"error":{"code":"instanceDied","message":"Dead.","hint":"."}}"#, status: 404)
            case let path where path.hasSuffix("/retain-path"):
                let id = path.split(separator: "/")[3]
                let text = "Screen #\(id) is held\\n  by it\\nSearched 7 objects\\n"
                let step = "{\"kind\":\"closure\",\"name\":\"closure #\(closure(Int(id) ?? 0)) in f()\"}"
                let path = #""fingerprint":\#(fingerprint),"steps":[\#(step)]"#
                return Canned.json(#"{"text":"\#(text)","status":"reachable",\#(path)}"#)
            default: return Canned.answers()(path)
            }
        }
    }

    private static func ask(_ server: CannedServer, _ words: [String]) async throws -> WhyCommand.Answer {
        guard case .run(let arguments) = try WhyCommand.syntax.parse(["127.0.0.1:1"] + words) else {
            throw NotInTime(description: "help")
        }
        return try await WhyCommand.answer(WhyOptions(arguments), server) { _ in }
    }

    @Test func overdueInstancesComeFirstAndEqualPathsAreGrouped() async throws {
        let server = Self.server()
        let answer = try await Self.ask(server, ["A.Screen", "--sample", "3"])
        #expect(
            answer
                == .text(
                    """
                    A.Screen: 7 live, 1 overdue; 3 searched, overdue instances first, then the oldest (see --sample)

                    2 of 3 instances, 1 of them overdue: #9, #5
                      Screen #9 is held
                        by it

                    Searched 7 objects

                    1 of 3 instances died before the search ended.
                    """))
        #expect(server.posts == [.post("api/v1/retain-paths", json: #"{"ids":[9,5,6]}"#)])
        #expect(server.requests.contains("api/v1/instances?type=A.Screen&sort=age&verdict=overdue&limit=3"))
    }

    @Test func instancesWithoutAPathAreGroupedByText() async throws {
        guard case .text(let text) = try await Self.ask(Self.server(fingerprint: "null"), ["A.Screen"]) else {
            Issue.record("no answer")
            return
        }
        #expect(
            text.contains("2 of 3 instances, 1 of them overdue: #9, #5\n  Screen #9 is held\n    by it\n"), "\(text)")
    }

    @Test func closuresOfAFunctionAreGroupsOfTheirOwn() async throws {
        guard case .text(let text) = try await Self.ask(Self.server { $0 }, ["A.Screen"]) else {
            Issue.record("no answer")
            return
        }
        #expect(text.contains("1 of 3 instances, 1 of them overdue: #9\n"), "\(text)")
        #expect(text.contains("1 of 3 instances: #5\n"), "\(text)")
        #expect(text.components(separatedBy: "Searched").count == 2, "\(text)")
    }

    @Test func jsonHasTheServersResponseForEachGroup() async throws {
        let answer = try await Self.ask(Self.server(), ["A.Screen", "--json"])
        #expect(
            answer
                == .text(
                    #"{"version":1,"type":"A.Screen","live":7,"overdue":1,"searched":[9,5,6],"died":1,"groups":["#
                        + #"{"instances":[9,5],"overdue":1,"retainPath":{"#
                        + #""text":"Screen #9 is held\n  by it\nSearched 7 objects\n","#
                        + #""status":"reachable","fingerprint":"f","#
                        + #""steps":[{"kind":"closure","name":"closure #1 in f()"}]}}]}"#))
    }

    @Test func unqualifiedNameMatchesTheOnlyLiveType() async throws {
        guard case .text(let text) = try await Self.ask(Self.server(), ["Screen"]) else {
            Issue.record("no answer")
            return
        }
        #expect(text.hasPrefix("A.Screen: 7 live"))
    }

    @Test func ambiguousTypeNameIsRefused() async throws {
        let answer = try await Self.ask(Self.server(liveInB: 2), ["Screen"])
        #expect(
            answer
                == .none(
                    "several types are named \"Screen\": A.Screen (7 live), B.Screen (2 live); use a full name"))
    }

    @Test(arguments: [
        ("screen", "no type named \"screen\" has been seen; similar types: A.Screen, A.TextScreen, B.Screen"),
        ("Scren", "no type named \"Scren\" has been seen; similar types: A.Screen, B.Screen"),
        ("A.Lok", "no type named \"A.Lok\" has been seen; similar types: A.Log"),
        ("Nothing", "no type named \"Nothing\" has been seen; /api/v1/types lists all types"),
        ("Log", "no instance of A.Log is live"),
    ]) func unknownTypeIsReportedWithSimilarNames(_ name: String, _ message: String) async throws {
        #expect(try await Self.ask(Self.server(), [name]) == .none(message))
    }

    @Test(arguments: [
        (["7", "--sample", "3"], "--sample 3 applies only to a TYPE"),
        (["A", "--sample", "0"], "--sample \"0\" is not"),
        (["A", "--sample", "101"], "from 1 to 100"), ([""], "is neither an instance id"),
        (["#A"], "is neither an instance id"),
        (["--", "-A"], "is neither an instance id"),
    ]) func usageErrorNamesTheProblem(_ words: [String], _ part: String) async {
        let error = await #expect(throws: UsageError.self) { try await Self.ask(Self.server(), words) }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }

    @Test(
        arguments: [
            ("kitten", "sitting", 3, 3), ("kitten", "sitting", 2, nil), ("", "ab", 2, 2), ("ab", "", 1, nil),
            ("ab", "ab", 0, 0),
            ("ab", "ba", 2, 2), ("abc", "xabc", 1, 1),
        ] as [(String, String, Int, Int?)])
    func editDistanceIsComputedUpToALimit(_ left: String, _ right: String, _ limit: Int, _ distance: Int?) {
        #expect(EditDistance.between(Array(left), Array(right), atMost: limit) == distance)
    }
}
