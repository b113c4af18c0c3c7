#if os(Linux) && arch(x86_64) && canImport(Glibc)
import Dispatch
import LifetimeTracer
import TracerBase

/// Runs jobs on request, on the requesting thread, so that each task is suspended when the request returns; after
/// `letGo()`, on Dispatch's global queue.
final class RequestExecutor: TaskExecutor {
    private struct State: LockedState {
        var jobs: [UnownedJob] = []
        var isOnRequest = true
    }

    private let state = Locked(State())

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isOnRequest = state.withLock { state in
            if state.isOnRequest { state.jobs.append(job) }
            return state.isOnRequest
        }
        guard !isOnRequest else { return }
        DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Runs all pending jobs and the jobs that they enqueue.
    func runAll() {
        while let job = state.withLock({ $0.jobs.popLast() }) { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    func letGo() {
        state.withLock { $0.isOnRequest = false }
        runAll()
    }

    /// Starts a task, and returns when the task is suspended.
    func start(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        let task = Task.detached(executorPreference: self) { await body() }
        runAll()
        return task
    }
}

actor TaskActor {
    /// Occupies the actor until the semaphore is signalled.
    @inline(never)
    func occupy(_ begun: DispatchSemaphore, _ end: DispatchSemaphore) {
        begun.signal()
        end.wait()
    }

    @inline(never)
    func visit() {}
}

/// Keeps the jobs of an actor until they are requested.
final class QueueingExecutor: SerialExecutor {
    private struct State: LockedState {
        var jobs: [UnownedJob] = []
    }

    private let state = Locked(State())

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
    }

    /// Runs the pending jobs on the calling thread.
    func runAll() {
        while let job = state.withLock({ $0.jobs.popLast() }) { job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
}

actor HostedActor {
    private let executor: QueueingExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(on executor: QueueingExecutor) { self.executor = executor }

    @inline(never)
    func visit() {}
}

final class TaskCargo: Sendable {}
final class ReadyCargo: Sendable {}

/// A function for each state of a task, by whose name the tests find the task.
///
/// In an optimised build, a function has a frame of its own only if it is not inlined and does something after it has
/// waited.
enum PlantedStates {
    private static let ended = Locked(0)

    private static func end() { ended.withLock { $0 += 1 } }

    /// The object is on the heap, because the function is not inlined.
    @inline(never)
    static func makeCargo() -> TaskCargo { TaskCargo() }

    private static let continuations = Locked<[CheckedContinuation<Void, Never>]>([])

    /// Resumes all tasks in `awaitContinuation`.
    static func resumeContinuations() {
        let all = continuations.withLock { continuations in
            defer { continuations = [] }
            return continuations
        }
        for continuation in all { continuation.resume() }
    }

    @inline(never)
    static func awaitContinuation(_ cargo: TaskCargo) async {
        await withCheckedContinuation { continuation in continuations.withLock { $0.append(continuation) } }
        withExtendedLifetime(cargo) {}
    }

    /// The continuations of `loseContinuation`, as inverted addresses, which are no references.
    private static let lost = Locked<[UInt]>([])

    /// Resumes all tasks in `loseContinuation`.
    static func resumeLostContinuations() {
        let all = lost.withLock { lost in
            defer { lost = [] }
            return lost
        }
        // Safe: a continuation is the address of its task, which lives until it is resumed.
        for address in all { unsafeBitCast(~address, to: UnsafeContinuation<Void, Never>.self).resume() }
    }

    @inline(never)
    static func loseContinuation(_ cargo: TaskCargo) async {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            // Safe: see `resumeLostContinuations`.
            lost.withLock { $0.append(~unsafeBitCast(continuation, to: UInt.self)) }
        }
        withExtendedLifetime(cargo) {}
    }

    @inline(never)
    static func awaitLostChild(_ cargo: TaskCargo) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await loseContinuation(cargo) }
            await group.waitForAll()
        }
        end()
    }

    @inline(never)
    static func awaitCancellableChild(_ cargo: TaskCargo) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await withTaskCancellationHandler {
                    await loseContinuation(cargo)
                } onCancel: {
                    resumeLostContinuations()
                }
            }
            await group.waitForAll()
        }
        end()
    }

    @inline(never)
    static func awaitSleep() async {
        try? await Task.sleep(for: .seconds(100_000))
        end()
    }

    @inline(never)
    static func awaitValue(of other: Task<Void, Never>) async {
        await other.value
        end()
    }

    @inline(never)
    static func awaitGroup() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await awaitSleep() }
            await group.waitForAll()
        }
        end()
    }

    @inline(never)
    static func awaitAsyncLet() async {
        async let child: Void = awaitSleep()
        await child
        end()
    }

    @inline(never)
    static func awaitActor(_ actor: TaskActor) async {
        await actor.visit()
        end()
    }

    @inline(never)
    static func awaitHostedActor(_ actor: HostedActor) async {
        await actor.visit()
        end()
    }

    @inline(never)
    static func occupyActor(_ actor: TaskActor, _ begun: DispatchSemaphore, _ released: DispatchSemaphore) async {
        await actor.occupy(begun, released)
        end()
    }

    @inline(never)
    static func awaitMainActor() async {
        await visitMainActor()
        end()
    }

    /// Runs a closure while a task occupies the main actor.
    static func withOccupiedMainActor<Value>(_ body: () async throws -> Value) async throws -> Value {
        let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let occupier = Task.detached { await occupyMainActor(begun, end) }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                begun.wait()
                continuation.resume()
            }
        }
        let result: Result<Value, any Error>
        do {
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        end.signal()
        await occupier.value
        return try result.get()
    }

    @MainActor private static func occupyMainActor(_ begun: DispatchSemaphore, _ released: DispatchSemaphore) {
        begun.signal()
        released.wait()
    }

    @MainActor @inline(never)
    private static func visitMainActor() {}

    @inline(never)
    static func awaitInACrowd() async {
        await withUnsafeContinuation { continuation in crowd.withLock { $0.append(continuation) } }
        end()
    }

    static let crowd = Locked<[UnsafeContinuation<Void, Never>]>([])
}
#endif
