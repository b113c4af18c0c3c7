import LifetimeTracerDashboard

/// A small program that leaks on purpose, and its mended form.
struct Scenario: Sendable {
    /// Its name in paths and options.
    let name: String
    /// Its name for people.
    let title: String
    /// What leaks and why, in two sentences.
    let story: String
    let forms: [ScenarioInfo.Form]
    /// Plays a form.
    ///
    /// Returns when its verdicts are out, within 5 seconds.
    let play: @MainActor @Sendable (ScenarioForm, Stage) async throws -> Void

    /// All scenarios, in the order in which they are shown.
    static let all: [Scenario] = [
        .keyboardObserver, .dismissedScreen, .databaseReload, .requestInFlight, .coordinators,
    ]
}
