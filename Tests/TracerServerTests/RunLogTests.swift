import LifetimeTracer
import LifetimeTracerDashboard
import Testing

@testable import tracer_server

@Suite struct RunLogTests {
    private let time = WallTime(nanosecondsSince1970: 0)

    @Test func atMostEightScenarioRunsAreActive() throws {
        var log = RunLog()
        for number in 1...8 { #expect(try log.begin("a", .leaking, at: time) == UInt64(number)) }
        #expect(throws: ScenarioError.tooManyRuns(limit: 8)) { try log.begin("b", .leaking, at: time) }
        log.end("a", 3, at: time)
        #expect(try log.begin("b", .mended, at: time) == 9)
    }

    @Test func lastTenRunsOfEachScenarioAreKept() throws {
        var log = RunLog()
        let under = try log.begin("a", .leaking, at: time)
        for _ in 0..<20 {
            let id = try log.begin("a", .mended, at: time)
            log.end("a", id, at: time)
        }
        let other = try log.begin("b", .mended, at: time)
        let runs = log.runs(of: "a")
        #expect(runs.count == 10)
        #expect(runs.first?.id == under && runs.first?.state == .running, "one under way is not forgotten")
        #expect(runs.last?.id == 21 && runs.last?.state == .done)
        #expect(log.runs(of: "b").map(\.id) == [other])
    }

    @Test func stepsAreKeptUpToALimitAndTheRestIsCounted() throws {
        var log = RunLog()
        let id = try log.begin("a", .leaking, at: time)
        for number in 0..<103 { log.note("step \(number)", in: "a", id) }
        let steps = try #require(log.run(id, of: "a")).steps
        #expect(steps.count == 101)
        #expect(steps.first == "step 0" && steps[99] == "step 99" && steps.last == "(3 further steps)")
    }
}

@Suite struct DemoCatalogueTests {
    @Test func everyScenarioHasAStoryAndExpectations() {
        let catalogue = DemoCatalogue(registry: LifetimeRegistry(), slowService: SlowService())
        let scenarios = catalogue.scenarios()
        #expect(
            scenarios.map(\.name) == [
                "keyboard-observer", "dismissed-screen", "database-reload", "request-in-flight", "coordinators",
                "untraced-cache",
            ])
        for scenario in scenarios {
            #expect(scenario.forms.map(\.form) == [.leaking, .mended])
            #expect(scenario.forms.allSatisfy { !$0.summary.isEmpty && !$0.expects.isEmpty })
            let sentences = scenario.story.split(separator: ".").count { !$0.allSatisfy(\.isWhitespace) }
            #expect(sentences == 2, "\(scenario.story)")
            #expect(!scenario.title.isEmpty && scenario.runs.isEmpty)
        }
    }

    @Test func failureIsRecordedAsAStepAndEndsTheRun() async throws {
        struct Failure: Error {}
        let failing = Scenario(name: "failing", title: "", story: "", forms: []) { _, _ in throw Failure() }
        let catalogue = DemoCatalogue(registry: LifetimeRegistry(), slowService: SlowService(), known: [failing])
        #expect(throws: ScenarioError.unknownScenario("other")) { try catalogue.play("other", form: .leaking) }
        #expect(try catalogue.play("failing", form: .leaking).state == .running)
        let run = try await eventually("the run is over") {
            catalogue.scenarios().first?.runs.first { $0.state == .done }
        }
        #expect(run.steps == ["failed: Failure()"])
    }

    @Test func objectsAreBornInTheCataloguesRegistry() async throws {
        let registry = LifetimeRegistry()
        let born = Scenario(name: "born", title: "", story: "", forms: []) { _, stage in
            let screen = Screen()
            stage.note("\(screen.lifetimeRegistry === registry)")
        }
        let catalogue = DemoCatalogue(registry: registry, slowService: SlowService(), known: [born])
        await catalogue.playAll([Play(name: "born", form: .mended)])
        #expect(catalogue.scenarios().first?.runs.first?.steps == ["true"])
    }
}
