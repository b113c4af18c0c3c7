import LifetimeTracer
import RetainPaths

/// The captures of the heap: one that is being made, and the last ones that were made.
///
/// A capture starts only on request, and only one at a time. The captures contain only names and numbers, so they hold
/// no object of the program.
final class HeapCaptures: Sendable {
    /// The most captures that are kept.
    static let keptLimit = 8
    /// The most bytes of the kept captures.
    static let byteLimit = 32 << 20

    private let registry: LifetimeRegistry
    private let capturer: HeapCapturer
    private let table = Locked(HeapTable())

    init(_ registry: LifetimeRegistry, _ capturer: HeapCapturer) {
        self.registry = registry
        self.capturer = capturer
    }

    /// The running capture.
    var running: HeapJob? { table.withLock { $0.current() } }

    /// The kept captures, oldest first, and the number of captures that made room for newer ones.
    var kept: (captures: [HeapCapture], dropped: Int) {
        table.withLock { table in
            // Empties the table in a child of `fork`.
            _ = table.current()
            return (table.kept, table.dropped)
        }
    }

    /// Starts a capture; `nil` if one is running.
    ///
    /// Never waits for the capture.
    func start() -> HeapJob? {
        let now = registry.clock.now()
        guard let job = table.withLock({ $0.begin(at: now) }) else { return nil }
        do throws(RetainPathsError) {
            // The capture does not run on the threads that tasks share: Dispatch blocks while the system refuses
            // another such thread.
            let task = try SearchExecutor.shared.detach { [self] in await run(job) }
            let isCancelled = table.withLock { $0.attach(task, to: job.id) }
            if isCancelled { task.cancel() }
        } catch {
            table.withLock { $0.end(job.id, .failure(error), at: now) }
        }
        return job
    }

    /// Returns the state of a capture.
    func state(of id: Int) -> HeapState {
        table.withLock { $0.state(of: id) }
    }

    /// Cancels a running capture, or drops a kept one.
    func drop(_ id: Int) {
        // Cancelled outside the lock, because cancelling a task runs the task's cancellation handlers.
        table.withLock { $0.drop(id) }?.cancel()
    }

    private func run(_ job: HeapJob) async {
        let result: Result<HeapGraph, any Error>
        do {
            result = .success(
                try await capturer.capture { [weak self] progress in
                    self?.table.withLock { $0.note(progress, in: job.id) }
                })
        } catch {
            result = .failure(error)
        }
        let now = registry.clock.now()
        table.withLock { $0.end(job.id, result, at: now) }
    }
}
