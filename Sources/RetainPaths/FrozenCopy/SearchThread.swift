#if os(Linux) && arch(x86_64) && canImport(Glibc)
import CRetainPaths
import LifetimeTracer
import TracerBase

/// A closure that is to run on the search thread.
private protocol SearchJob: Sendable {
    func run()
    /// Ends the job with an error, without running it.
    func fail(_ error: any Error)
}

/// The search thread, which copies the process and waits for the copies, one job after the other.
///
/// Searches need a thread of their own for two reasons: a copy of the process ends with the thread that made it, and
/// the threads of Swift's concurrency must not block for long. The thread starts with the first job and ends when no
/// job is left. Callers await their turn without blocking a thread.
enum SearchThread {
    private struct State: LockedState {
        var jobs: [any SearchJob] = []
        /// The process in which the thread runs; `nil` while no thread runs.
        ///
        /// It differs from the current process in a child of `fork`.
        var runsIn: ForkGeneration?
    }

    private static let state = Locked(State())

    /// Runs a closure on the search thread and returns its result.
    ///
    /// - Throws: An error of `work`, or `CancellationError` if the task is cancelled. A job that is still queued is
    ///   cancelled at once.
    nonisolated(nonsending) static func run<Answer: Sendable>(
        _ work: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> Answer
    ) async throws -> Answer {
        try HeapAnswer.demandMemory()
        let job = Job(work)
        return try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                job.prepare(continuation)
                add(job)
            }
        } onCancel: {
            job.cancel()
        }
    }

    private static func add(_ job: any SearchJob) {
        let starts = state.withLock { state in
            let process = ForkGeneration.current
            // The jobs of the parent are answered in the parent.
            if state.runsIn != process, state.runsIn != nil { state.jobs = [] }
            state.jobs.append(job)
            guard state.runsIn != process else { return false }
            state.runsIn = process
            return true
        }
        guard starts else { return }
        do throws(ThreadError) {
            try SystemThread.detach(named: "tracer-search") { main() }
        } catch {
            let jobs = state.withLock { state in
                state.runsIn = nil
                let jobs = state.jobs
                state.jobs = []
                return jobs
            }
            for job in jobs { job.fail(RetainPathsError.failed(reason: error.description)) }
        }
    }

    /// Runs jobs until none is left.
    private static func main() {
        while let job = nextJob() {
            // The C library may give this thread the stack of one that has ended.
            clearUnusedStack()
            job.run()
        }
    }

    /// Clears the calling thread's stack below the caller's frame.
    ///
    /// A search for leaks looks at the stack of its own thread, too, and must not take stale words for references. The
    /// frame of a function contains the stale words of earlier frames, so each function that makes several copies, or
    /// that runs after one was made, calls this before the next one.
    static func clearUnusedStack() { rp_clear_stack() }

    private static func nextJob() -> (any SearchJob)? {
        state.withLock { state in
            guard !state.jobs.isEmpty else {
                state.runsIn = nil
                return nil
            }
            return state.jobs.removeFirst()
        }
    }

    /// A closure to run, and the continuation of the caller that awaits its result.
    private final class Job<Answer: Sendable>: SearchJob {
        typealias Work = @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> Answer

        private struct State: LockedState {
            var waiter: HiddenContinuation<Answer, any Error>?
            var isCancelled = false
            var isRunning = false
        }

        private let work: Work
        private let state = Locked(State())

        init(_ work: @escaping Work) { self.work = work }

        func prepare(_ continuation: UnsafeContinuation<Answer, any Error>) {
            let waiter = HiddenContinuation(continuation)
            let isCancelled = state.withLock { state in
                if !state.isCancelled { state.waiter = waiter }
                return state.isCancelled
            }
            if isCancelled { waiter.resume(with: .failure(CancellationError())) }
        }

        /// Cancels a queued job at once.
        ///
        /// A running job checks for cancellation itself.
        func cancel() {
            let waiter = state.withLock { state in
                state.isCancelled = true
                return state.isRunning ? nil : state.waiter.take()
            }
            waiter?.resume(with: .failure(CancellationError()))
        }

        func run() {
            let isWanted = state.withLock { state in
                state.isRunning = true
                return !state.isCancelled
            }
            guard isWanted else { return }
            finish(Result { try work { [state] in state.withLock { $0.isCancelled } } })
        }

        func fail(_ error: any Error) { finish(.failure(error)) }

        private func finish(_ result: Result<Answer, any Error>) {
            state.withLock { $0.waiter.take() }?.resume(with: result)
        }
    }
}
#endif
