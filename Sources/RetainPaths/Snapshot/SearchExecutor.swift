import LifetimeTracer

/// Runs tasks on a thread of its own instead of those that all tasks share.
///
/// Who waits for a search with a blocked thread may have blocked one of the shared threads. And Dispatch, which has them, blocks whoever
/// asks for another one that the system refuses, until it gets one.
///
/// The thread runs while anybody has a ``Hold``, and ends afterwards. Jobs run one after the other and should not block.
package final class SearchExecutor: TaskExecutor {
    /// The one of the process.
    package static let shared = SearchExecutor()

    private struct State: LockedState {
        var holds = 0
        /// The process in which the thread runs.
        var runsIn: ForkGeneration?
        var jobs: [UnownedJob] = []
    }

    private let state = Monitor(State())

    private init() {}

    /// Keeps the thread running until it is released.
    package final class Hold: Sendable {
        private let process = ForkGeneration.current

        fileprivate init() {}

        deinit {
            // In a child of `fork` those who had holds have vanished.
            guard process == .current else { return }
            SearchExecutor.shared.state.withLock { $0.holds -= 1 }
        }
    }

    /// Starts the thread unless it runs.
    ///
    /// To be called before a task is given to the executor, and the hold to be kept until the task has ended.
    ///
    /// - Throws: ``RetainPathsError`` where the system refuses a thread.
    package func hold() throws(RetainPathsError) -> Hold {
        try HeapAnswer.demandMemory()
        let failure = state.withLock { state -> CInt in
            forgetParent(&state)
            let failure = start(&state)
            if failure == 0 { state.holds += 1 }
            return failure
        }
        guard failure == 0 else {
            throw .failed(reason: "no thread can be started. \(ProcessLimits.reason(for: failure))")
        }
        return Hold()
    }

    /// Runs a job soon.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // With a hold the thread runs already. A job without one waits for the next hold if no thread can be started.
        state.withLock { state in
            forgetParent(&state)
            state.jobs.append(job)
            _ = start(&state)
        }
    }

    /// In a child of `fork`: the thread is the parent's, and what waits for it is answered there.
    private func forgetParent(_ state: inout State) {
        if let process = state.runsIn, process != .current { state = State() }
    }

    private func start(_ state: inout State) -> CInt {
        guard state.runsIn == nil else { return 0 }
        let failure = DetachedThread.start { [self] in main() }
        if failure == 0 { state.runsIn = .current }
        return failure
    }

    private func main() {
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
