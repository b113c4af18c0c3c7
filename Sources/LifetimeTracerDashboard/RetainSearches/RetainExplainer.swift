import LifetimeTracer
import RetainPaths

/// Explains why instances are live: by a search in a frozen copy of the process, or by a substitute in a test.
struct RetainExplainer: Sendable {
    /// Explains instances of a registry and reports the progress of the search.
    let explain:
        @Sendable (
            _ ids: [InstanceID], _ registry: LifetimeRegistry,
            _ progress: @escaping @Sendable (RetainPaths.Progress) -> Void
        ) async throws -> RetainReport
    /// The known leaks.
    var knownLeaks = KnownLeaks()

    /// Returns an explainer that searches in a frozen copy of the process.
    static func inACopy(_ options: RetainPaths.Options) -> Self {
        var explainer = Self { ids, registry, progress in
            try await RetainPaths.explain(ids, in: registry, options: options, progress: progress)
        }
        explainer.knownLeaks = options.knownLeaks
        return explainer
    }
}
