/// The outcome of a program that `run` has waited for: its end, and the search for leaks at its exit.
struct RunOutcome: Sendable, Equatable {
    enum Verdict: String, Sendable {
        /// There are no leaks, or all are known.
        case clean
        /// There are leaks that are not known.
        case leaks
        /// No search has taken place, or its report could not be written.
        case unknown
    }

    let ending: SupervisedProgram.Ending
    let search: ExitSearch
    /// Whether leaks and a missing search change the exit status.
    let failsOnLeaks: Bool

    var verdict: Verdict {
        switch search.outcome {
        case .searched(let leaks): leaks > 0 ? .leaks : .clean
        case .none: .unknown
        }
    }

    /// The reason why no search has taken place; `nil` if one has.
    var reason: String? {
        if case .none(let reason) = search.outcome { reason } else { nil }
    }

    /// How `run` ends: like the program if it has failed, because a failure of the program must not be hidden.
    ///
    /// - Parameter isReported: Whether the report could be written.
    func ownEnding(isReported: Bool = true) -> SupervisedProgram.Ending {
        guard ending == .exited(0), failsOnLeaks else { return ending }
        return switch verdict {
        case .leaks: .exited(ExitCode.leaks.rawValue)
        case .unknown: .exited(ExitCode.unknown.rawValue)
        case .clean: .exited(isReported ? 0 : ExitCode.unknown.rawValue)
        }
    }
}
