import Foundation
import Testing

@testable import tracer_server

/// Every kind of verdict against its limit, without a server.
@Suite struct CheckVerdictTests {
    static func options(_ words: [String] = []) throws -> CheckOptions {
        guard case .run(let arguments) = try CheckCommand.syntax.parse(["127.0.0.1:1"] + words) else {
            throw NotInTime(description: "help")
        }
        return try CheckOptions(arguments)
    }

    static func report(_ answers: @escaping CannedServer.Answers, _ words: [String] = []) async throws -> CheckReport {
        let options = try options(words)
        let server = CheckedServer(address: options.address, transport: CannedServer(answers))
        return try await CheckCommand.report(on: server, options)
    }

    @Test func typesAndGroupsOverBudgetAreNamed() async throws {
        let types = Canned.types(
            [Canned.type("A.Screen", live: 5, budget: 3), Canned.type("A.Calm", live: 1, budget: 1)],
            groups: #"[{"name":"ui","live":9,"budget":7,"overBudget":true},"#
                + #"{"name":"x","live":1,"budget":null,"overBudget":false}]"#)
        let answers = Canned.answers(summary: Canned.summary(overBudget: 2), types: types)
        let report = try await Self.report(answers)
        #expect(report.isOver)
        #expect(
            report.lines.dropFirst(3).prefix(3) == [
                "over:   2 over budget, at most 0", "  9 live in group ui, budget 7", "  5 live A.Screen, budget 3",
            ])
        #expect(try await Self.report(answers, ["--max-over-budget", "2"]).isWithin)
    }

    @Test func brokenInvariantsAreReportedWithTheServersMessage() async throws {
        let summary = Canned.summary(brokenInvariants: 1)
        let answers: CannedServer.Answers = { path in
            guard path == "api/v1/invariants?state=broken&limit=500" else {
                return Canned.answers(summary: summary)(path)
            }
            return Canned.json(
                #"{"total":1,"next":null,"invariants":[{"type":"A.Model","message":"2 live Screen and 3 live Model"}]}"#
            )
        }
        let report = try await Self.report(answers)
        #expect(report.isOver)
        #expect(
            report.lines.dropFirst(4).prefix(2) == [
                "over:   1 broken invariant, at most 0", "  2 live Screen and 3 live Model",
            ])
        #expect(try await Self.report(answers, ["--max-broken", "1"]).isWithin)
    }

    @Test func crowdedEventsAreNamedWithTheirOwnerTypes() async throws {
        let summary = Canned.summary(crowded: 2)
        let answers: CannedServer.Answers = { path in
            switch path {
            case "api/v1/tokens?groupBy=event&limit=500":
                Canned.json(
                    """
                    {"next":null,"groups":[{"event":"a b","inForce":9,"crowded":true},
                     {"event":"calm","inForce":1,"crowded":false}]}
                    """)
            case "api/v1/tokens?groupBy=ownerType&event=a%20b&limit=500":
                Canned.json(
                    """
                    {"next":null,"groups":[{"ownerType":"A.Screen","inForce":5,"crowded":true},
                     {"ownerType":null,"inForce":3,"crowded":true},{"ownerType":"A.Calm","inForce":1,"crowded":false}]}
                    """)
            default: Canned.answers(summary: summary)(path)
            }
        }
        let report = try await Self.report(answers)
        #expect(report.isOver)
        #expect(
            report.lines.dropFirst(5).prefix(3) == [
                "over:   2 crowded events, at most 0",
                "  5 tokens in force for a b (owner type A.Screen): above the threshold",
                "  3 tokens in force for a b: above the threshold",
            ])
        #expect(try await Self.report(answers, ["--max-crowded", "2"]).isWithin)
    }

    private static func growing(_ overdue: String = Canned.nothingOverdue, known: Bool = false) -> CannedServer.Answers
    {
        Canned.answers(
            summary: Canned.summary(growing: 2), overdue: overdue,
            growth: Canned.growth([
                Canned.growing("A.Cache", reason: "99 a minute more", known: known),
                Canned.growing("A.Log", event: "changed", reason: "4 a minute more"),
            ]))
    }

    @Test func growingTypesAndTokensAreReportedWithTheServersReason() async throws {
        let report = try await Self.report(Self.growing())
        #expect(report.isOver)
        #expect(
            report.lines.dropFirst(6) == [
                "over:   2 growing, at most 0", "  A.Cache: 99 a minute more", "  changed: 4 a minute more",
                "  a cache that is being filled also grows; --max-growing N allows N growing types or events",
            ])
        #expect(try await Self.report(Self.growing(), ["--max-growing", "2"]).isWithin)
    }

    @Test func acknowledgedGrowthDoesNotCount() async throws {
        let report = try await Self.report(Self.growing(known: true))
        #expect(
            report.lines.dropFirst(6).prefix(2) == [
                "over:   1 growing, at most 0 (plus 1 known leak)", "  changed: 4 a minute more",
            ])
    }

    @Test func aTypeThatGrowsByAKnownLeakDoesNotCount() async throws {
        let overdue = """
            {"next":null,"overdue":2,"known":2,"groups":[{"type":"A.Cache","reason":"closed","overdue":2,
             "known":{"reason":"it is small","count":2},"retainPath":null,"instances":[
              {"id":4,"type":"A.Cache","role":"culprit","state":"overdue","retainStatus":"reachable","known":true}]}]}
            """
        let report = try await Self.report(Self.growing(overdue))
        #expect(report.lines.dropFirst(6).first == "over:   1 growing, at most 0 (plus 1 known leak)")
        #expect(report.lines.dropFirst(7).first == "  changed: 4 a minute more")
    }

    @Test func lateInstancesCountOnlyWithALimit() async throws {
        let answers = Canned.answers(summary: Canned.summary(late: 3))
        #expect(try await Self.report(answers).isWithin)
        #expect(try await Self.report(answers, ["--max-late", "3"]).isWithin)
        let report = try await Self.report(answers, ["--max-late", "2"])
        #expect(report.isOver && report.lines.last == "over:   3 late so far, at most 2")
    }

    @Test func detailsBeyondTwentyAreOnlyCounted() async throws {
        let types = Canned.types((10..<35).map { Canned.type("A.T\($0)", live: 2, budget: 1) })
        let report = try await Self.report(Canned.answers(summary: Canned.summary(overBudget: 25), types: types))
        #expect(report.lines.contains("over:   25 over budget, at most 0"))
        #expect(report.lines.contains("  and 5 more"))
        #expect(report.lines.count { $0.hasSuffix("budget 1") } == 20)
    }
}
