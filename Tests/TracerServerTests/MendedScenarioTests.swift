import Foundation
import Testing

@testable import tracer_server

/// Each mended form in the real program, over HTTP: afterwards there is no live instance, no token and no verdict.
@Suite(.timeLimit(.minutes(20))) struct MendedScenarioTests {
    /// A scenario, the types that it creates, and how many tokens each of them removes.
    struct Expected: Sendable, CustomTestStringConvertible {
        let name: String
        let types: [String]
        var removals: [String: Int] = [:]

        var testDescription: String { name }
    }

    static let all = [
        Expected(name: "keyboard-observer", types: ["MendedTextScreen"], removals: ["MendedTextScreen": 2]),
        Expected(name: "dismissed-screen", types: ["MendedNoteScreen", "MendedDraftScreen", "TabScreen"]),
        Expected(
            name: "database-reload", types: ["MendedListScreen", "MendedDetailScreen", "NotesDatabase"],
            removals: ["MendedListScreen": 1, "MendedDetailScreen": 3]),
        Expected(
            name: "request-in-flight", types: ["MendedSearchReactor", "SearchView"],
            removals: ["MendedSearchReactor": 2]),
        Expected(
            name: "coordinators",
            types: [
                "MendedAppCoordinator", "MendedItemCoordinator", "MendedItemScreen", "MendedProfileScreen",
                "MendedProfileViewModel", "MendedProfileCoordinator",
            ]),
        Expected(name: "untraced-cache", types: []),
    ]

    @Test(arguments: all) func mendedScenarioLeavesNothingLive(_ expected: Expected) async throws {
        let demo = try await DemoRun()
        let run = try await demo.play(expected.name, .mended)
        #expect(run.finishedAt != nil)
        #expect(!run.steps.contains { $0.hasPrefix("failed") }, "\(run.steps)")

        let types = try await demo.scenarioTypes()
        for name in expected.types {
            let type = try #require(types.first { $0.name == name }, "\(name) was never born")
            #expect(type.born > 0 && type.died == type.born, "\(type)")
        }
        #expect(types.allSatisfy { $0.live == 0 }, "\(types.filter { $0.live > 0 })")
        for (owner, count) in expected.removals {
            let group = try #require(try await demo.tokenGroups(ofOwner: owner).first)
            #expect(group.inForce == 0 && group.removed == count && group.registered == count, "\(group)")
        }
        #expect(try await demo.verdicts() == Wire.Verdicts())
    }

    @Test func theServerSeesTheCancelledRequests() async throws {
        let demo = try await DemoRun()
        let run = try await demo.play("request-in-flight", .mended)
        #expect(run.steps.contains("the server saw 2 cancellations"), "\(run.steps)")
    }

    @Test func eachChangeReloadsEachScreenOnce() async throws {
        let demo = try await DemoRun()
        let run = try await demo.play("database-reload", .mended)
        for visit in 1...3 {
            let reloads =
                "the list has reloaded \(visit) time\(visit == 1 ? "" : "s"), the detail 1 time, 2 tokens in force"
            #expect(run.steps.contains { $0.contains(reloads) }, "\(run.steps)")
        }
    }

    /// A mended form succeeds even after the leaking form of the same scenario.
    @Test func earlierLeakDoesNotAffectTheMendedForm() async throws {
        let demo = try await DemoRun()
        _ = try await demo.play("keyboard-observer", .leaking)
        let run = try await demo.play("keyboard-observer", .mended)
        #expect(run.steps.contains("keyboard shown and hidden: no screen moved"), "\(run.steps)")
        let types = try await demo.scenarioTypes()
        #expect(types.first { $0.name == "MendedTextScreen" }?.live == 0)
        #expect(types.first { $0.name == "TextScreen" }?.live == 1)
    }
}
