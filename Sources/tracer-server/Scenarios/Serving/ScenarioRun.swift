import LifetimeTracer

/// One run of a scenario.
struct ScenarioRun: Sendable {
    /// The progress of a run.
    enum State: String, Sendable, CaseIterable {
        /// The run is executing its steps.
        case running
        /// The run has ended. Unless it failed, its verdicts have been reached.
        case done
    }

    /// The number of the run in this process, from 1.
    let id: UInt64
    /// The form that the run plays.
    let form: ScenarioForm
    /// The progress of the run.
    let state: State
    /// The time at which the run started.
    let startedAt: WallTime
    /// The time at which the run ended; `nil` while it is running.
    let finishedAt: WallTime?
    /// The steps that have been executed, in words.
    let steps: [String]
}
