import LifetimeTracerDashboard

/// The description of a scenario.
struct ScenarioInfo: Sendable {
    /// The description of one form of a scenario.
    struct Form: Sendable {
        /// The form.
        let form: ScenarioForm
        /// The behaviour of the program in this form, in a sentence.
        let summary: String
        /// The expected verdicts of the tracer, one per line.
        let expects: [String]
        /// The relevant lines of code, separated by line feeds; may be empty.
        var code = ""
    }

    /// A view of the page that shows the result of a run.
    enum ResultView: String, Sendable, JSONChoice {
        case overview
        case heap
    }

    /// The name in paths and options: `keyboard-observer`.
    let name: String
    /// The display name.
    let title: String
    /// The leak and its cause, in two sentences.
    let story: String
    /// The view of the page that shows the result.
    var resultView = ResultView.overview
    /// The forms of the scenario.
    let forms: [Form]
    /// The last runs, oldest first.
    let runs: [ScenarioRun]
}
