import Foundation
import LifetimeTracer
import Testing

@testable import tracer_server

/// The results of a check for given answers, without a server.
@Suite struct CheckTests {
    private static func options(_ words: [String] = []) throws -> CheckOptions {
        guard case .run(let arguments) = try CheckCommand.syntax.parse(["http://127.0.0.1:1/"] + words) else {
            throw NotInTime(description: "help")
        }
        return try CheckOptions(arguments)
    }

    private static func server(_ table: CannedServer) throws -> CheckedServer {
        CheckedServer(address: .tcp(host: "127.0.0.1", port: 1), transport: table)
    }

    private static func report(_ table: CannedServer, _ words: [String] = []) async throws -> CheckReport {
        try await CheckCommand.report(on: server(table), options(words))
    }

    @Test func serverWithoutVerdictsIsWithinAllLimits() async throws {
        let report = try await Self.report(CannedServer(Canned.answers()))
        #expect(report.isWithin)
        #expect(
            report.lines == [
                "app (pid 7): 12 live", "within: 0 overdue, at most 0", "within: 0 orphaned tokens, at most 0",
                "within: 0 over budget, at most 0", "within: 0 broken invariants, at most 0",
                "within: 0 crowded events, at most 0", "within: 0 growing, at most 0",
            ])
    }

    @Test func overdueInstancesAreNamedWithTheirReasonAndVictims() async throws {
        let overdue = """
            {"next":null,"overdue":4,"known":0,"groups":[
             {"type":"A.Screen","reason":"dismissed","overdue":3,"instances":[
              {"id":17,"type":"A.Screen","role":"culprit","state":"overdue","known":false},
              {"id":18,"type":"A.Model","role":"victim","state":"overdue","known":false},
              {"id":19,"type":"A.Old","role":"victim","state":"late","known":false}]},
             {"type":"A.Gone","reason":"dismissed","overdue":0,"instances":[]},
             {"type":"A.Flow","reason":"flow ended","overdue":1,"instances":[]}]}
            """
        let report = try await Self.report(CannedServer(Canned.answers(overdue: overdue)), ["--max-overdue", "3"])
        #expect(!report.isWithin)
        #expect(
            report.lines[1...4] == [
                "over:   4 overdue, at most 3",
                "  3 for A.Screen, which holds A.Model: dismissed (#17, #18)", "  1 for A.Flow: flow ended",
                "  to see what holds #17, run: tracer-server why http://127.0.0.1:1/ 17",
            ])
        #expect(try await Self.report(CannedServer(Canned.answers(overdue: overdue)), ["--max-overdue", "4"]).isWithin)
    }

    private static func overdue(known: Int, retained: String) -> String {
        """
        {"next":null,"overdue":3,"known":\(known),"groups":[
         {"type":"A.Screen","reason":"dismissed","overdue":1,\(retained),"instances":[
          {"id":17,"type":"A.Screen","role":"culprit","state":"overdue","known":false,
           "retainStatus":\(known == 0 ? "null" : #""cycle""#)}]},
         {"type":"A.Cache","reason":"closed","overdue":2,
          "known":\(known == 0 ? "null" : #"{"reason":"midnight","count":2}"#),
          "instances":[{"id":4,"type":"A.Cache","role":"culprit","state":"overdue","known":\(known > 0),
           "retainStatus":"reachable"}]}]}
        """
    }

    @Test func knownLeaksDoNotCount() async throws {
        let overdue = Self.overdue(known: 2, retained: #""known":null,"retainPath":null"#)
        let report = try await Self.report(CannedServer(Canned.answers(overdue: overdue)))
        #expect(
            report.lines[1...2] == [
                "over:   1 overdue, at most 0 (plus 2 known leaks)", "  1 for A.Screen: dismissed (#17)",
            ])
        #expect(!report.lines.contains { $0.contains("A.Cache") })
        let within = try await Self.report(CannedServer(Canned.answers(overdue: overdue)), ["--max-overdue", "1"])
        #expect(within.isWithin)
        #expect(within.lines[1] == "within: 1 overdue, at most 1 (plus 2 known leaks)")
    }

    @Test func retainPathIsSearchedOnlyWithExplainAndOverTheLimit() async throws {
        let isExplained = Locked(false)
        let path = "api/v1/instances/17/retain-path"
        let table = CannedServer { asked in
            if asked == path {
                isExplained.withLock { $0 = true }
                return Canned.json(#"{"text":"the cache holds it"}"#)
            }
            guard asked.hasPrefix("api/v1/overdue") else { return Canned.answers()(asked) }
            return Canned.json(
                isExplained.withLock { $0 }
                    ? Self.overdue(
                        known: 2,
                        retained: #""known":null,"retainPath":{"hint":"Hub keeps it.","signature":"Hub → A.Screen"}"#)
                    : Self.overdue(known: 0, retained: #""known":null,"retainPath":null"#))
        }
        let unexplained = try await Self.report(table)
        #expect(unexplained.lines[1] == "over:   3 overdue, at most 0")
        let few = try await Self.report(table, ["--explain", "--max-overdue", "3"])
        #expect(few.isWithin)
        #expect(!table.requests.contains(path), "nobody wanted to know, or nothing was over")

        let explained = try await Self.report(table, ["--explain"])
        #expect(
            explained.lines[1...3] == [
                "over:   1 overdue, at most 0 (plus 2 known leaks)", "  1 for A.Screen: dismissed (#17)",
                "    Hub keeps it.",
            ])
        #expect(table.requests.filter { $0 == path }.count == 1)
    }

    @Test func explainReportsWhyRetainPathsAreUnavailable() async throws {
        let table = CannedServer { asked in
            if asked.hasSuffix("/retain-path") {
                return Canned.json(
                    #"{"error":{"code":"notAvailable","message":"No.","hint":"Not here."}}"#, status: 501)
            }
            guard asked.hasPrefix("api/v1/overdue") else { return Canned.answers()(asked) }
            return Canned.json(Self.overdue(known: 0, retained: #""known":null,"retainPath":null"#))
        }
        let error = await #expect(throws: ClientFailure.self) { try await Self.report(table, ["--explain"]) }
        #expect(error?.description.contains("No.") == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("Not here.") == false, "the server's hint names a request")
    }

    @Test func orphanedTokensAreCountedByEventAndOwner() async throws {
        let token = #"{"kind":"hub","event":"changed","ownerType":"A.Screen"}"#
        let tokens =
            #"{"total":3,"next":null,"tokens":[\#(token),\#(token),{"kind":"timer","event":"tick","ownerType":null}]}"#
        let report = try await Self.report(CannedServer(Canned.answers(tokens: tokens)), ["--max-orphaned", "2"])
        #expect(
            report.lines[2...4] == [
                "over:   3 orphaned tokens, at most 2", "  2 for hub changed (owner type A.Screen): owner deallocated",
                "  1 for timer tick: owner deallocated",
            ])
        #expect(try await Self.report(CannedServer(Canned.answers(tokens: tokens)), ["--max-orphaned", "3"]).isWithin)
    }

    @Test func typesMatchByQualifiedOrUnqualifiedName() async throws {
        let types = Canned.types([Canned.type("A.Screen", live: 2), Canned.type("B.Screen", live: 3)])
        func isWithin(_ limit: String) async throws -> Bool {
            try await Self.report(CannedServer(Canned.answers(types: types)), ["--max-live", limit]).isWithin
        }
        #expect(try await isWithin("A.Screen=2"))
        #expect(try await !isWithin("A.Screen=1"))
        #expect(try await isWithin("Screen=5"))
        #expect(try await !isWithin("Screen=4"))
    }

    @Test func limitForAnUnseenTypeIsUnknownNotWithin() async throws {
        let report = try await Self.report(CannedServer(Canned.answers()), ["--max-live", "Scren=0"])
        #expect(!report.isWithin && !report.isOver)
        #expect(report.unknownTypes == ["Scren"])
        #expect(report.lines.last == "unknown: live Scren, no type with this name has been seen")
    }

    @Test func typeWithoutLiveInstancesIsKnown() async throws {
        let types = Canned.types([Canned.type("A.Screen", live: 0)])
        #expect(try await Self.report(CannedServer(Canned.answers(types: types)), ["--max-live", "Screen=0"]).isWithin)
    }

    @Test func waitContinuesUntilTheTypeIsSeen() async throws {
        let tries = Locked(0)
        let table = CannedServer { path in
            guard path.hasPrefix("api/v1/types") else { return Canned.answers()(path) }
            let number = tries.withLock { tries in
                tries += 1
                return tries
            }
            let types = Canned.types([Canned.type("A.Screen", live: 1)])
            return number < 3 ? Canned.answers()(path) : Canned.answers(types: types)(path)
        }
        #expect(try await Self.report(table, ["--max-live", "Screen=1", "--wait", "3600"]).isWithin)
        #expect(tries.withLock { $0 } == 3)
    }

    /// The count comes from the list of types.
    ///
    /// The summary, taken at another moment, says 12.
    @Test func totalLiveCountComesFromTheListOfTypes() async throws {
        let types = Canned.types([Canned.type("A.X", live: 9), Canned.type("A.Y", live: 5)])
        let report = try await Self.report(CannedServer(Canned.answers(types: types)), ["--max-live", "X=9"])
        #expect(report.lines.first == "app (pid 7): 14 live")
    }

    @Test func allPagesOfAListAreRead() async throws {
        let table = CannedServer { path in
            switch path {
            case "api/v1/types?sort=name&limit=500":
                Canned.json(Canned.types([Canned.type("A.X", live: 1)], next: "a+b/="))
            case "api/v1/types?sort=name&limit=500&after=a%2Bb%2F%3D":
                Canned.json(Canned.types([Canned.type("B.X", live: 1)]))
            default:
                Canned.answers()(path)
            }
        }
        #expect(try await !Self.report(table, ["--max-live", "X=1"]).isWithin)
        #expect(table.requests.filter { $0.hasPrefix("api/v1/types") }.count == 2)
    }

    @Test func typesAndGrowthAreRequestedOnlyIfNeeded() async throws {
        let table = CannedServer(Canned.answers())
        _ = try await Self.report(table)
        #expect(!table.requests.contains { $0.hasPrefix("api/v1/types") || $0.hasPrefix("api/v1/growth") })
        let growing = CannedServer(Canned.answers(summary: Canned.summary(growing: 1)))
        _ = try await Self.report(growing)
        #expect(growing.requests.contains { $0.hasPrefix("api/v1/growth") })
    }

    @Test(arguments: [
        (#"{"version":2}"#, 200, "version 2"),
        ("<html>", 200, "another program may be listening"),
        (#"{"hello":1}"#, 200, "another program may be listening"),
        (#"{"error":{"code":"x","message":"No token.","hint":"Send one."}}"#, 401, "LIFETIME_TRACER_TOKEN"),
        (#"{"error":{"code":"x","message":"It is wrong.","hint":"Send it."}}"#, 401, "It is wrong. Pass the server's"),
        ("Not found", 404, "another program may be listening"),
        (#"{"error":{"code":"x","message":"Gone.","hint":"Come back."}}"#, 404, "Gone. Come back."),
        ("oops", 500, "status 500"),
    ]) func unexpectedResponseIsReportedWithoutRetry(_ body: String, _ status: Int, _ part: String) async throws {
        let table = CannedServer { _ in Canned.json(body, status: status) }
        let error = await #expect(throws: ClientFailure.self) { try await Self.report(table, ["--wait", "3600"]) }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
        #expect(error?.isTemporary == false)
        #expect(table.requests.count == 1, "no waiting can mend it")
    }

    @Test func checkWithoutWaitTriesOnce() async throws {
        let table = CannedServer { _ in nil }
        let error = await #expect(throws: ClientFailure.self) { try await Self.report(table) }
        #expect(error?.isTemporary == true)
        #expect(table.requests.count == 1)
    }

    @Test func waitContinuesUntilTheServerAnswersWithinAllLimits() async throws {
        let tries = Locked(0)
        let over = #"{"next":null,"overdue":1,"known":0,"groups":[]}"#
        let table = CannedServer { path in
            let number = tries.withLock { tries in
                if path.hasPrefix("api/v1/summary") { tries += 1 }
                return tries
            }
            return switch number {
            case 1: nil
            case 2: Canned.answers(overdue: over)(path)
            default: Canned.answers()(path)
            }
        }
        let report = try await Self.report(table, ["--wait", "3600"])
        #expect(report.isWithin)
        #expect(tries.withLock { $0 } == 3)
    }

    @Test func lastTryDecidesWhenTheWaitEnds() async throws {
        let over = #"{"next":null,"overdue":1,"known":0,"groups":[]}"#
        let report = try await Self.report(CannedServer(Canned.answers(overdue: over)), ["--wait", "0.6"])
        #expect(!report.isWithin)
    }
}
