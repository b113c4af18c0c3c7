import LifetimeTracer
import RetainPaths

/// Who finds out who holds what: the search in a copy of the process, or what stands for it in a test.
struct RetainExplainer: Sendable {
    /// Explains instances of a registry, telling how far it is.
    let explain:
        @Sendable (
            _ ids: [InstanceID], _ registry: LifetimeRegistry,
            _ progress: @escaping @Sendable (RetainPaths.Progress) -> Void
        ) async throws -> RetainReport

    /// The search in a copy of the process.
    static func inACopy(_ options: RetainPaths.Options) -> Self {
        Self { ids, registry, progress in
            try await RetainPaths.explain(ids, in: registry, options: options, progress: progress)
        }
    }
}
