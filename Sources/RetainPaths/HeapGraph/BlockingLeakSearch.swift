import LifetimeTracer

extension HeapGraph.Leaks: LockedState {}

extension HeapGraph {
    /// Finds the leaks like ``findLeaks(options:progress:)``, and blocks the calling thread until the search has ended.
    ///
    /// The search needs no thread of the shared pool, all of whose threads may be blocked.
    package static func findLeaksBlocking(options: RetainPaths.Options) throws(RetainPathsError) -> Leaks {
        let result = Monitor<Result<Leaks, RetainPathsError>?>(nil)
        try SearchExecutor.shared.detach {
            let found: Result<Leaks, RetainPathsError>
            do throws(RetainPathsError) {
                found = .success(try await findLeaks(options: options))
            } catch {
                found = .failure(error)
            }
            result.withLock { $0 = found }
        }
        return try result.wait { $0.map { .holds($0) } ?? .waits(atMost: nil) }.get()
    }
}
