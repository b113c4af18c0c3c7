import LifetimeTracer

@testable import tracer_server

/// A catalogue with a scenario that can always be played, and one with too many runs.
struct Catalogue: ScenarioCatalogue {
    func scenarios() -> [ScenarioInfo] {
        [info("keyboard-observer", runs: [run(1, .done), run(2, .running)]), info("busy", runs: [])]
    }

    func play(_ name: String, form: ScenarioForm) throws(ScenarioError) -> ScenarioRun {
        switch name {
        case "keyboard-observer": run(3, .running)
        case "busy": throw .tooManyRuns(limit: 8)
        default: throw .unknownScenario(name)
        }
    }

    private func info(_ name: String, runs: [ScenarioRun]) -> ScenarioInfo {
        ScenarioInfo(
            name: name, title: "Notification observers", story: "One sentence. Another one.",
            forms: [
                ScenarioInfo.Form(
                    form: .leaking, summary: "It leaks.", expects: ["1 TextScreen overdue"],
                    code: "keep(self)\nkeep(\"it\")"),
                ScenarioInfo.Form(form: .mended, summary: "It does not.", expects: []),
            ], runs: runs)
    }

    private func run(_ id: UInt64, _ state: ScenarioRun.State) -> ScenarioRun {
        let start = WallTime(nanosecondsSince1970: 1_700_000_001_000_000_000)
        return ScenarioRun(
            id: id, form: .leaking, state: state, startedAt: start,
            finishedAt: state == .done ? start + .seconds(3) : nil, steps: ["pushed TextScreen"])
    }
}
