import CLifetimeRuntime

/// A registry that is current for some tasks; the scope lives as long as any task has it.
///
/// While no scope exists in the process, a birth skips the lookup of its task's scope.
final class TracingScope: Sendable {
    /// The scope of the calling task.
    @TaskLocal static var current: TracingScope?

    let registry: LifetimeRegistry

    /// The storage of the calling task's registry, faster than by ``current``.
    ///
    /// The task retains its scope, and the scope its registry, so neither is retained here.
    static var store: Unmanaged<InstanceStore>? {
        guard let scope = lt_scope() else { return nil }
        return Unmanaged<TracingScope>.fromOpaque(scope)._withUnsafeGuaranteedRef {
            Unmanaged.passUnretained($0.registry.store)
        }
    }

    /// Makes the scopes of tasks known to births in C.
    ///
    /// Not retained: the key lives in a static variable, so it is never deallocated.
    private static let setKey: Void = lt_set_scope_key(Unmanaged.passUnretained($current).toOpaque())

    init(_ registry: LifetimeRegistry) {
        self.registry = registry
        Self.setKey
        lt_add_scopes(1)
        // The scope holds the registry anyway. Thus the first instance in it need not retain the registry, nor the last
        // one release it, which takes long: an object with weak references to it keeps its counts elsewhere.
        registry.store.retainOwner()
    }

    deinit {
        registry.store.releaseOwner()
        lt_add_scopes(-1)
    }
}
