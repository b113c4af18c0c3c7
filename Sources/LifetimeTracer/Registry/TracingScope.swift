import CLifetimeRuntime

/// A registry that is current for some tasks; lives as long as any task has it.
///
/// While there is none anywhere, a birth need not ask for its task's.
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
