import LifetimeTracerDashboard

/// The wire type of a run of a scenario.
struct WireScenarioRun: JSONObject {
    private let run: ScenarioRun

    init(_ run: ScenarioRun) {
        self.run = run
    }

    static let fields = Field.list {
        Field("id") { $0.run.id }
        Field("form") { $0.run.form }
        Field("state") { $0.run.state }
        Field("startedAt") { Timestamp($0.run.startedAt) }
        Field("finishedAt") { $0.run.finishedAt.map(Timestamp.init) }
        Field("steps") { $0.run.steps }
    }
}

/// The wire type of a run that has just started.
struct WireStartedRun: JSONObject {
    let run: WireScenarioRun

    static let fields = Field.list {
        Field("run") { $0.run }
    }
}

extension ScenarioForm: JSONChoice {}
extension ScenarioRun.State: JSONChoice {}
