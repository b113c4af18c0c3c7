#if os(Linux) && arch(x86_64) && canImport(Glibc)
import Glibc
import LifetimeTracer

/// The thread on which the process is copied and copies are waited for, one after the other.
///
/// A thread of its own, because a copy of the process ends with the thread that made it, and because the threads of Swift's
/// concurrency must not wait for long. It starts when there is something to do and ends when there is nothing left. Those who ask wait
/// their turn without a thread.
enum SearchThread {
    /// Something to be done there.
    typealias Work = @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> HeapAnswer

    private struct State: LockedState {
        var jobs: [Job] = []
        /// The process in which the thread runs; in a child of `fork` there is none.
        var runsIn: ForkGeneration?
    }

    private static let state = Locked(State())

    /// Does something there and returns what it returns.
    ///
    /// - Throws: What `work` throws, or `CancellationError` when the task is cancelled, at once while it waits its turn.
    static func run(_ work: @escaping Work) async throws -> HeapAnswer {
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

    private static func add(_ job: Job) {
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
        let failure = startThread()
        if failure != 0 {
            let jobs = state.withLock { state in
                state.runsIn = nil
                let jobs = state.jobs
                state.jobs = []
                return jobs
            }
            let reason = "no thread can be started (error \(failure)). Allow the program more threads."
            for job in jobs { job.finish(.failure(RetainPathsError.failed(reason: reason))) }
        }
    }

    private static func startThread() -> CInt {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        return pthread_create(&thread, &attributes, { _ in searchThreadMain() }, nil)
    }

    /// Does all there is to do.
    fileprivate static func main() {
        while let job = nextJob() { job.run() }
    }

    private static func nextJob() -> Job? {
        state.withLock { state in
            guard !state.jobs.isEmpty else {
                state.runsIn = nil
                return nil
            }
            return state.jobs.removeFirst()
        }
    }

    /// Something to be done, and who waits for it.
    private final class Job: Sendable {
        private struct State: LockedState {
            var waiter: HiddenContinuation<HeapAnswer, any Error>?
            var isCancelled = false
            var isRunning = false
        }

        private let work: Work
        private let state = Locked(State())

        init(_ work: @escaping Work) { self.work = work }

        func prepare(_ continuation: UnsafeContinuation<HeapAnswer, any Error>) {
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

        func finish(_ result: Result<HeapAnswer, any Error>) {
            state.withLock { $0.waiter.take() }?.resume(with: result)
        }
    }
}

/// Where the thread starts; a free function, because it must not inherit anyone's isolation.
private func searchThreadMain() -> UnsafeMutableRawPointer? {
    SearchThread.main()
    return nil
}
#endif
