import CRetainPaths
import LifetimeTracer
import TracerBase

/// An executor that runs tasks on a thread of its own instead of the shared threads.
///
/// A caller that blocks its thread until a search ends may block one of the shared threads. Dispatch owns the shared
/// threads. If the system refuses it a new one, Dispatch blocks the requester until it gets one.
///
/// The thread runs while any ``Hold`` exists, and ends afterwards. Jobs run one after the other and should not block.
package final class SearchExecutor: TaskExecutor {
    /// The executor of the process.
    package static let shared = SearchExecutor()

    private struct State: LockedState {
        var holds = 0
        /// The process in which the thread runs; `nil` while no thread runs.
        var runsIn: ForkGeneration?
        var jobs: [UnownedJob] = []
    }

    private let state = Monitor(State())

    private init() {}

    /// A hold that keeps the thread running while it exists.
    package final class Hold: Sendable {
        private let process = ForkGeneration.current

        fileprivate init() {}

        deinit {
            // In a child of `fork` the holds of the parent do not count.
            guard process == .current else { return }
            SearchExecutor.shared.state.withLock { $0.holds -= 1 }
        }
    }

    /// Starts the thread if it is not running.
    ///
    /// Call this before a task is given to the executor, and keep the hold until the task has ended.
    ///
    /// - Throws: ``RetainPathsError`` if the system refuses a thread.
    func hold() throws(RetainPathsError) -> Hold {
        try HeapAnswer.demandMemory()
        let refusal = state.withLock { state in
            forgetParent(&state)
            let refusal = start(&state)
            if refusal == nil { state.holds += 1 }
            return refusal
        }
        if let refusal { throw .failed(reason: refusal.description) }
        return Hold()
    }

    /// Runs a closure in a detached task on the executor's thread.
    ///
    /// The memory of the task is cleared. Otherwise a search that the closure awaits could find stale words in it that
    /// look like references from variables of the task.
    ///
    /// - Throws: ``RetainPathsError`` if the system refuses a thread.
    @discardableResult
    package func detach(_ work: @escaping @Sendable () async -> Void) throws(RetainPathsError) -> Task<Void, Never> {
        let hold = try hold()
        clearFreeTaskMemory()
        return Task.detached(executorPreference: self) {
            // The first function of the task has its frame already, and those that it calls get theirs on this thread.
            clearFreeTaskMemory()
            await work()
            withExtendedLifetime(hold) {}
        }
    }

    /// Adds a job to the queue.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // With a hold, the thread is already running. Without one, the job waits for the next hold if no thread can be
        // started.
        state.withLock { state in
            forgetParent(&state)
            state.jobs.append(job)
            _ = start(&state)
        }
    }

    /// Resets the state in a child of `fork`.
    ///
    /// The thread and the queued jobs are the parent's.
    private func forgetParent(_ state: inout State) {
        if let process = state.runsIn, process != .current { state = State() }
    }

    /// Starts the thread if it is not running; returns the error if the system refuses it.
    private func start(_ state: inout State) -> ThreadError? {
        guard state.runsIn == nil else { return nil }
        do throws(ThreadError) {
            try SystemThread.detach(named: "tracer-search") { [self] in main() }
            state.runsIn = .current
            return nil
        } catch {
            return error
        }
    }

    private func main() {
        // The C library may give this thread the stack of one that has ended, with its stale words.
        #if os(Linux)
        rp_clear_stack()
        #endif
        while let job = nextJob() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    private func nextJob() -> UnownedJob? {
        state.wait { state in
            if !state.jobs.isEmpty { return .holds(state.jobs.removeFirst()) }
            guard state.holds == 0 else { return .waits(atMost: nil) }
            state.runsIn = nil
            return .holds(nil)
        }
    }
}

/// Clears the memory that the task gets which this thread makes or runs next.
private func clearFreeTaskMemory() {
    #if os(Linux)
    rp_clear_free_task_blocks()
    #endif
}
