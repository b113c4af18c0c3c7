/// A run of a scenario as it is sent.
struct WireScenarioRun: JSONWritable {
    private let run: ScenarioRun

    init(_ run: ScenarioRun) {
        self.run = run
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("id", run.id)
            writer.field("form", run.form.rawValue)
            writer.field("state", run.state.rawValue)
            writer.field("startedAt", Timestamp(run.startedAt))
            writer.field("finishedAt", run.finishedAt.map(Timestamp.init))
            writer.field("steps", run.steps)
        }
    }
}
