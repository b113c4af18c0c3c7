import LifetimeTracerDashboard

/// The wire type of a scenario.
struct WireScenario: JSONObject {
    private let scenario: ScenarioInfo

    init(_ scenario: ScenarioInfo) {
        self.scenario = scenario
    }

    static let fields = Field.list {
        Field("name") { $0.scenario.name }
        Field("title") { $0.scenario.title }
        Field("story") { $0.scenario.story }
        Field("resultView") { $0.scenario.resultView }
        Field("forms") { $0.scenario.forms.map(WireScenarioForm.init) }
        Field("runs") { $0.scenario.runs.map(WireScenarioRun.init) }
    }
}

/// The wire type of a form of a scenario.
private struct WireScenarioForm: JSONObject {
    let form: ScenarioInfo.Form

    static let fields = Field.list {
        Field("form") { $0.form.form }
        Field("summary") { $0.form.summary }
        Field("expects") { $0.form.expects }
        Field("code") { $0.form.code }
    }
}

/// The wire type of a page of scenarios.
struct WireScenarioList: JSONObject {
    let page: Page<WireScenario>

    static let fields = Field.list {
        Field.page { $0.page }
        Field("scenarios") { $0.page.entries }
    }
}
