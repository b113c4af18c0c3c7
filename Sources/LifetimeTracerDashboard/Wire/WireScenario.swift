/// A scenario as it is sent.
struct WireScenario: JSONWritable {
    private let scenario: ScenarioInfo

    init(_ scenario: ScenarioInfo) {
        self.scenario = scenario
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("name", scenario.name)
            writer.field("title", scenario.title)
            writer.field("story", scenario.story)
            writer.key("forms")
            writer.array(scenario.forms) { writer, form in
                writer.object { writer in
                    writer.field("form", form.form.rawValue)
                    writer.field("summary", form.summary)
                    writer.field("expects", form.expects)
                    writer.field("code", form.code)
                }
            }
            writer.field("runs", scenario.runs.map(WireScenarioRun.init))
        }
    }
}
