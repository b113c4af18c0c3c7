import LifetimeTracer
import RetainPaths

/// Searches the heap for leaks of all classes, on behalf of a test.
enum HeapLeakSearch {
    typealias Answer = PendingAnswer<HeapGraph.Leaks>.Outcome

    /// Searches, and waits in a task.
    static func answer(_ knownLeaks: KnownLeaks) async -> Answer {
        await start(knownLeaks).wait()
    }

    /// Searches, and blocks the thread.
    static func answerBlocking(_ knownLeaks: KnownLeaks) -> Answer {
        start(knownLeaks).waitBlocking()
    }

    private static func start(_ knownLeaks: KnownLeaks) -> PendingAnswer<HeapGraph.Leaks> {
        let pending = PendingAnswer<HeapGraph.Leaks>(patience: HolderSearch.patience)
        do throws(RetainPathsError) {
            // The askers may block all threads of the cooperative pool.
            try SearchExecutor.shared.detach { pending.finish(await search(knownLeaks)) }
        } catch {
            pending.finish(.unknown(because: "\(error)"))
        }
        return pending
    }

    private static func search(_ knownLeaks: KnownLeaks) async -> Answer {
        var options = RetainPaths.Options()
        options.timeout = HolderSearch.searchLimit
        options.knownLeaks = knownLeaks
        do {
            let leaks = try await HeapGraph.findLeaks(options: options)
            return leaks.obstacle.map { .unknown(because: $0) } ?? .found(leaks)
        } catch {
            return .unknown(because: "\(error)")
        }
    }
}
