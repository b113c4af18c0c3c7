import LifetimeTracer

/// Scenarios that can be played while the program runs, for demonstration: each leaks on purpose or shows the mended form.
///
/// Mount one with ``Dashboard/scenarioRoutes(_:)``. Both methods are called on the server's threads and must return soon:
/// ``play(_:form:)`` starts a run and does not wait for its end.
public protocol ScenarioCatalogue: Sendable {
    /// All scenarios with their last runs, in the order in which they are shown.
    func scenarios() -> [ScenarioInfo]

    /// Starts a run.
    ///
    /// - Parameters:
    ///   - name: One of the names in ``scenarios()``.
    ///   - form: Which form to play.
    /// - Returns: The run as it is now; ``scenarios()`` tells how it goes on.
    /// - Throws: ``ScenarioError`` for an unknown name, or when there are too many runs already.
    func play(_ name: String, form: ScenarioForm) throws(ScenarioError) -> ScenarioRun
}

/// Why a scenario is not played.
public enum ScenarioError: Error, Sendable, Equatable {
    /// There is no scenario of that name. The answer names those there are.
    case unknownScenario(String)
    /// There are as many runs as may be at a time.
    case tooManyRuns(limit: Int)
}

/// The two forms of a scenario.
public enum ScenarioForm: String, Sendable, CaseIterable {
    /// As it should not be.
    case leaking
    /// As it should be.
    case mended
}

/// A scenario as it is shown.
public struct ScenarioInfo: Sendable {
    /// One of its forms.
    public struct Form: Sendable {
        /// Which one.
        public let form: ScenarioForm
        /// What the program does in this form, in a sentence.
        public let summary: String
        /// What the tracer will say, a line each.
        public let expects: [String]
        /// The few lines in question, with line feeds; may be empty.
        public let code: String

        /// Creates the description of a form.
        public init(form: ScenarioForm, summary: String, expects: [String], code: String = "") {
            self.form = form
            self.summary = summary
            self.expects = expects
            self.code = code
        }
    }

    /// Its name in paths and options: `keyboard-observer`.
    public let name: String
    /// Its name for people.
    public let title: String
    /// What leaks and why, in two sentences.
    public let story: String
    /// Its forms.
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

/// One time that a scenario was played.
public struct ScenarioRun: Sendable {
    /// How far it is.
    public enum State: String, Sendable, CaseIterable {
        /// Its steps are being taken.
        case running
        /// It is over, with its verdicts out.
        case done
    }

    /// Rises with every run of the program, from 1.
    public let id: UInt64
    /// The form that is played.
    public let form: ScenarioForm
    /// How far it is.
    public let state: State
    /// When it began.
    public let startedAt: WallTime
    /// When it ended.
    public let finishedAt: WallTime?
    /// What has been done so far, in words.
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
