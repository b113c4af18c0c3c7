#if os(Linux) && arch(x86_64) && canImport(Glibc)
import LifetimeTracer

/// Something that is to be done on the thread of the searches.
private protocol SearchJob: Sendable {
    func run()
    /// Ends it without having run.
    func fail(_ error: any Error)
}

/// The thread on which the process is copied and copies are waited for, one after the other.
///
/// A thread of its own, because a copy of the process ends with the thread that made it, and because the threads of Swift's
/// concurrency must not wait for long. It starts when there is something to do and ends when there is nothing left. Those who ask wait
/// their turn without a thread.
enum SearchThread {
    private struct State: LockedState {
        var jobs: [any SearchJob] = []
        /// The process in which the thread runs; in a child of `fork` there is none.
        var runsIn: ForkGeneration?
    }

    private static let state = Locked(State())

    /// Does something there and returns what it returns.
    ///
    /// - Throws: What `work` throws, or `CancellationError` when the task is cancelled, at once while it waits its turn.
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
            // What waited in the parent is answered there.
            if state.runsIn != process, state.runsIn != nil { state.jobs = [] }
            state.jobs.append(job)
            guard state.runsIn != process else { return false }
            state.runsIn = process
            return true
        }
        guard starts else { return }
        let failure = DetachedThread.start { main() }
        guard failure != 0 else { return }
        let jobs = state.withLock { state in
            state.runsIn = nil
            let jobs = state.jobs
            state.jobs = []
            return jobs
        }
        let error = RetainPathsError.failed(reason: "no thread can be started. \(ProcessLimits.reason(for: failure))")
        for job in jobs { job.fail(error) }
    }

    /// Does all there is to do.
    private static func main() {
        while let job = nextJob() { job.run() }
    }

    private static func nextJob() -> (any SearchJob)? {
        state.withLock { state in
            guard !state.jobs.isEmpty else {
                state.runsIn = nil
                return nil
            }
            return state.jobs.removeFirst()
        }
    }

    /// Something to be done, and who waits for it.
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

        /// The work itself notices when it has begun.
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
