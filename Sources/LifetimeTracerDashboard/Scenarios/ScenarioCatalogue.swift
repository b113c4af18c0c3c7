import LifetimeTracer

/// A list of scenarios that can be played while the program runs, for demonstration.
///
/// A scenario leaks on purpose, or shows the mended form.
///
/// Pass a catalogue to ``Dashboard/scenarioRoutes(_:)`` to serve it. Both methods are called on the server's threads
/// and must return soon: ``play(_:form:)`` starts a run and does not wait for its end.
public protocol ScenarioCatalogue: Sendable {
    /// Returns all scenarios with their last runs, in display order.
    func scenarios() -> [ScenarioInfo]

    /// Starts a run.
    ///
    /// - Parameters:
    ///   - name: One of the names in ``scenarios()``.
    ///   - form: The form to play.
    /// - Returns: The run in its initial state; ``scenarios()`` reports its progress.
    /// - Throws: ``ScenarioError`` for an unknown name, or if too many runs are in progress.
    func play(_ name: String, form: ScenarioForm) throws(ScenarioError) -> ScenarioRun
}

/// The reason why a scenario is not played.
public enum ScenarioError: Error, Sendable, Equatable {
    /// The catalogue has no scenario of that name. The response lists the known names.
    case unknownScenario(String)
    /// The limit of simultaneous runs is reached.
    case tooManyRuns(limit: Int)
}

/// The two forms of a scenario.
public enum ScenarioForm: String, Sendable, CaseIterable {
    /// The form with the leak.
    case leaking
    /// The form without the leak.
    case mended
}

/// The description of a scenario.
public struct ScenarioInfo: Sendable {
    /// The description of one form of a scenario.
    public struct Form: Sendable {
        /// The form.
        public let form: ScenarioForm
        /// The behaviour of the program in this form, in a sentence.
        public let summary: String
        /// The expected verdicts of the tracer, one per line.
        public let expects: [String]
        /// The relevant lines of code, separated by line feeds; may be empty.
        public let code: String

        /// Creates the description of a form.
        public init(form: ScenarioForm, summary: String, expects: [String], code: String = "") {
            self.form = form
            self.summary = summary
            self.expects = expects
            self.code = code
        }
    }

    /// The name in paths and options: `keyboard-observer`.
    public let name: String
    /// The display name.
    public let title: String
    /// The leak and its cause, in two sentences.
    public let story: String
    /// The forms of the scenario.
    public let forms: [Form]
    /// The last runs, oldest first.
    public let runs: [ScenarioRun]

    /// Creates the description of a scenario.
    public init(name: String, title: String, story: String, forms: [Form], runs: [ScenarioRun]) {
        self.name = name
        self.title = title
        self.story = story
        self.forms = forms
        self.runs = runs
    }
}

/// One run of a scenario.
public struct ScenarioRun: Sendable {
    /// The progress of a run.
    public enum State: String, Sendable, CaseIterable {
        /// The run is executing its steps.
        case running
        /// The run has ended. Unless it failed, its verdicts have been reached.
        case done
    }

    /// The number of the run in this process, from 1.
    public let id: UInt64
    /// The form that the run plays.
    public let form: ScenarioForm
    /// The progress of the run.
    public let state: State
    /// The time at which the run started.
    public let startedAt: WallTime
    /// The time at which the run ended; `nil` while it is running.
    public let finishedAt: WallTime?
    /// The steps that have been executed, in words.
    public let steps: [String]

    /// Creates the description of a run.
    public init(
        id: UInt64, form: ScenarioForm, state: State, startedAt: WallTime, finishedAt: WallTime?, steps: [String]
    ) {
        self.id = id
        self.form = form
        self.state = state
        self.startedAt = startedAt
        self.finishedAt = finishedAt
        self.steps = steps
    }
}
