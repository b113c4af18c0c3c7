import Dispatch
internal import LifetimeTracer

/// Does jobs when it is told to, on the thread that says so, and from then on as others do.
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

    /// Does what there is to do, and what comes up meanwhile; then all of its tasks wait.
    func runAll() {
        while let job = state.withLock({ $0.jobs.popLast() }) { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// Does the rest, and later jobs without being told.
    func letGo() {
        runAll()
        state.withLock { $0.isByHand = false }
        runAll()
    }
}

/// Starts a task, and returns when it waits for something, wherever its body goes meanwhile.
@discardableResult
func startByHand(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    let executor = HandExecutor()
    let task = Task.detached(executorPreference: executor) { await body() }
    executor.letGo()
    return task
}

/// The same with the task-local values of the caller.
@discardableResult
func startByHandInheriting(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    let executor = HandExecutor()
    let task = Task(executorPreference: executor) { await body() }
    executor.letGo()
    return task
}

/// Returns when Dispatch has taken up the timers and sources that were started before.
func waitForDispatch() {
    let passed = DispatchSemaphore(value: 0)
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.001) { passed.signal() }
    passed.wait()
}
