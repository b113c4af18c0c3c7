import LifetimeTracerDashboard

/// A small program that leaks on purpose, together with its mended form.
struct Scenario: Sendable {
    /// The name in paths and options.
    let name: String
    /// The display name.
    let title: String
    /// The leak and its cause, in two sentences.
    let story: String
    /// The view of the page that shows the result.
    var resultView = ScenarioInfo.ResultView.overview
    let forms: [ScenarioInfo.Form]
    /// Plays a form.
    ///
    /// Returns after its verdicts have been reached, within 5 seconds.
    let play: @MainActor @Sendable (ScenarioForm, Stage) async throws -> Void

    /// All scenarios, in display order.
    static let all: [Scenario] = [
        .keyboardObserver, .dismissedScreen, .databaseReload, .requestInFlight, .coordinators, .untracedCache,
    ]
}
