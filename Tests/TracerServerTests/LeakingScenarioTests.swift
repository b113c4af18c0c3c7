import Foundation
import Testing

@testable import tracer_server

/// Each leaking form in the real program, over HTTP: the resulting verdicts and their reasons.
@Suite(.timeLimit(.minutes(20))) struct LeakingScenarioTests {
    @Test func keyboardObserverScenarioLeavesAnOverdueScreen() async throws {
        let demo = try await DemoRun()
        let run = try await demo.play("keyboard-observer", .leaking)
        #expect(run.steps.contains { $0.contains("moved again, 4 times in total") }, "\(run.steps)")

        let groups = try await demo.overdue().groups
        #expect(groups.map(\.type) == ["tracer_server.TextScreen"])
        #expect(groups.first?.message == "TextScreen not deallocated after being removed from its parent")
        #expect(groups.first?.instances.map(\.tokensInForce) == [2])
        let tokens = try await demo.tokens("ownerType=tracer_server.TextScreen")
        #expect(tokens.map(\.event).sorted() == ["keyboardWillHide", "keyboardWillShow"])
        #expect(tokens.allSatisfy { $0.kind == "notification" && $0.state == "inForce" && $0.deliveries == 2 })
        #expect(try await demo.verdicts() == Wire.Verdicts(overdue: 1))
    }

    @Test func dismissedScreenScenarioLeavesOverdueAndLateScreens() async throws {
        let demo = try await DemoRun()
        _ = try await demo.play("dismissed-screen", .leaking)

        let groups = try await demo.overdue().groups
        let note = try #require(groups.first { $0.type == "tracer_server.NoteScreen" })
        #expect(note.message == "NoteScreen not deallocated after being dismissed")
        #expect(note.overdue == 1 && note.late == 0)
        let draft = try #require(groups.first { $0.type == "tracer_server.DraftScreen" })
        #expect(draft.reason == "removed from its parent")
        #expect(draft.overdue == 0 && draft.late == 1)
        #expect(groups.count == 2, "the exempt tab has no verdict: \(groups)")
        #expect(try await demo.verdicts() == Wire.Verdicts(overdue: 1, late: 1))
    }

    @Test func databaseReloadScenarioLeavesOrphanedTokens() async throws {
        let demo = try await DemoRun()
        let run = try await demo.play("database-reload", .leaking)
        #expect(run.steps.contains("append always: one change called 1, then 2, then 3 closures"), "\(run.steps)")
        #expect(
            run.steps.contains("keep the first: the screen of each visit reloaded 1 time, then 0 times"), "\(run.steps)"
        )

        let groups = try await demo.tokenGroups()
        let append = try #require(groups.first { $0.event == "databaseChanged.append" })
        #expect(append.inForce == 3 && append.orphaned == 3 && append.deliveries == 1 + 2 + 3 && append.crowded)
        let keepFirst = try #require(groups.first { $0.event == "databaseChanged.keepFirst" })
        #expect(keepFirst.inForce == 1 && keepFirst.orphaned == 1 && keepFirst.refused == 1)
        let strong = try #require(groups.first { $0.event == "databaseChanged.strongSelf" })
        #expect(strong.inForce == 1 && strong.orphaned == 0)
        let overdue = try await demo.overdue().groups
        #expect(overdue.map(\.type) == ["tracer_server.DetailScreen"])
        #expect(overdue.first?.reason == "removed from its parent")
        #expect(try await demo.verdicts() == Wire.Verdicts(overdue: 1, orphaned: 4, crowded: 1))
    }

    @Test func requestInFlightScenarioLeavesAnOverdueReactor() async throws {
        let demo = try await DemoRun()
        _ = try await demo.play("request-in-flight", .leaking)

        let groups = try await demo.overdue().groups
        #expect(groups.map(\.type) == ["tracer_server.SearchReactor"])
        #expect(groups.first?.reason == "its view has gone")
        let instances = try #require(groups.first).instances
        #expect(instances.map(\.state) == ["overdue", "late"])
        #expect(instances.map(\.label) == ["no answer", "slow answer"])
        let tokens = try await demo.tokens("kind=request")
        #expect(tokens.map(\.event) == ["GET /demo/never"])
        let slow = try await demo.tokenGroups().first { $0.event == "GET /demo/slow" }
        #expect(slow?.removed == 1 && slow?.deliveries == 1)
        #expect(try await demo.verdicts() == Wire.Verdicts(overdue: 1, late: 1))
    }

    @Test func coordinatorsScenarioLeavesCulpritsAndVictims() async throws {
        let demo = try await DemoRun()
        let run = try await demo.play("coordinators", .leaking)
        #expect(
            run.steps.contains("popped a profile: screen, view model and coordinator are deallocated"), "\(run.steps)")

        let groups = try await demo.overdue().groups
        #expect(groups.count == 2)
        let child = try #require(groups.first { $0.type == "tracer_server.ItemCoordinator" })
        #expect(child.overdue == 1 && child.reason == "flow ended")
        let profile = try #require(groups.first { $0.type == "tracer_server.ProfileScreen" })
        #expect(profile.overdue == 3)
        let culprit = try #require(profile.instances.first)
        #expect(culprit.role == "culprit" && culprit.type == "tracer_server.ProfileScreen")
        #expect(culprit.reason == "removed from its parent")
        #expect(
            Set(profile.instances.dropFirst().filter { $0.role == "victim" }.map(\.type))
                == ["tracer_server.ProfileViewModel", "tracer_server.ProfileCoordinator"])
        #expect(try await demo.verdicts() == Wire.Verdicts(overdue: 4))
    }
}
