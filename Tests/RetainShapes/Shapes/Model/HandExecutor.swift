import Dispatch
internal import LifetimeTracer

/// Runs jobs on request, on the requesting thread; after `letGo()`, on Dispatch's global queue.
package final class HandExecutor: TaskExecutor {
    private struct State: LockedState {
        var jobs: [UnownedJob] = []
        var isByHand = true
    }

    private let state = Locked(State())

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isByHand = state.withLock { state in
            if state.isByHand { state.jobs.append(job) }
            return state.isByHand
        }
        guard !isByHand else { return }
        DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Runs all pending jobs and the jobs that they enqueue.
    ///
    /// Afterwards all tasks of the executor are suspended.
    func runAll() {
        while let job = state.withLock({ $0.jobs.popLast() }) { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// Runs the pending jobs.
    ///
    /// The executor runs later jobs without a request.
    func letGo() {
        runAll()
        state.withLock { $0.isByHand = false }
        runAll()
    }
}

/// Starts a task, and returns when the task is suspended, regardless of the actors that its body visits.
@discardableResult
func startByHand(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    let executor = HandExecutor()
    let task = Task.detached(executorPreference: executor) { await body() }
    executor.letGo()
    return task
}

/// Like `startByHand(_:)`, but the task inherits the caller's task-local values.
@discardableResult
func startByHandInheriting(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    let executor = HandExecutor()
    let task = Task(executorPreference: executor) { await body() }
    executor.letGo()
    return task
}

/// Returns after Dispatch has registered the timers and sources that were started before.
func waitForDispatch() {
    let passed = DispatchSemaphore(value: 0)
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.001) { passed.signal() }
    passed.wait()
}
