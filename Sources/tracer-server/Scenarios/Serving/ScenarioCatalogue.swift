/// A list of scenarios that can be played while the program runs, for demonstration.
///
/// A scenario leaks on purpose, or shows the mended form.
///
/// ``ScenarioRoutes`` serve it. Both methods are called on the server's threads and must return soon:
/// ``play(_:form:)`` starts a run and does not wait for its end.
protocol ScenarioCatalogue: Sendable {
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
enum ScenarioError: Error, Sendable, Equatable {
    /// The catalogue has no scenario of that name. The response lists the known names.
    case unknownScenario(String)
    /// The limit of simultaneous runs is reached.
    case tooManyRuns(limit: Int)
}

/// The two forms of a scenario.
enum ScenarioForm: String, Sendable, CaseIterable {
    /// The form with the leak.
    case leaking
    /// The form without the leak.
    case mended
}
