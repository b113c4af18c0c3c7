import CLifetimeRuntime

/// A registry that is current for some tasks; the scope lives as long as any task has it.
///
/// While no scope exists in the process, a birth skips the lookup of its task's scope.
final class TracingScope: Sendable {
    /// The scope of the calling task.
    @TaskLocal static var current: TracingScope?

    let registry: LifetimeRegistry

    init(_ registry: LifetimeRegistry) {
        self.registry = registry
        lt_add_scopes(1)
    }

    deinit {
        lt_add_scopes(-1)
    }
}
