import TracerBase

/// An action to perform for each verdict.
///
/// Observers are called on the tracer's thread, outside all locks, one verdict after the other. A slow observer delays
/// only later verdicts.
public struct VerdictObserver: Sendable {
    let receive: @Sendable (Verdict) -> Void
    /// Called after the last verdict of those that were reached together.
    var finish: @Sendable () -> Void = {}

    /// Passes each verdict to a closure.
    public static func closure(_ body: @escaping @Sendable (Verdict) -> Void) -> Self {
        Self(receive: body)
    }

    /// Writes the verdicts to standard error, one line for each kind, type and reason.
    ///
    /// The line names one instance, its creation site and how many more were reached together with it. Later verdicts
    /// on further instances are counted; a line tells their number each time it has grown tenfold.
    public static var standardError: Self {
        let groups = Locked(VerdictGroups())
        return Self(
            receive: { verdict in groups.withLock { $0.add(verdict) } },
            finish: {
                for line in groups.withLock({ $0.takeLines() }) { StandardError.writeLine(line) }
            })
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
