import TracerText

/// An action to perform for each verdict.
///
/// Observers are called on the tracer's thread, outside all locks, one verdict after the other. A slow observer delays
/// only later verdicts.
public struct VerdictObserver: Sendable {
    let receive: @Sendable (Verdict) -> Void

    /// Passes each verdict to a closure.
    public static func closure(_ body: @escaping @Sendable (Verdict) -> Void) -> Self {
        Self(receive: body)
    }

    /// Writes each verdict to standard error, one line each.
    public static var standardError: Self {
        Self { verdict in
            let label = verdict.label.map { " \"\($0)\"" } ?? ""
            let instance = verdict.instance.map { " [#\($0)\(label)]" } ?? ""
            StandardError.writeLine("\(verdict.kind.rawValue): \(verdict.message)\(instance)")
        }
    }

    /// Stops the program with an assertion failure at the first verdict of the given kinds, in debug builds only.
    ///
    /// - Parameter kinds: The kinds that stop the program; by default an overdue instance and an orphaned token.
    public static func assertionFailure(on kinds: Set<Verdict.Kind> = [.overdue, .orphanedToken]) -> Self {
        Self { verdict in
            guard kinds.contains(verdict.kind) else { return }
            Swift.assertionFailure(verdict.message)
        }
    }
}
