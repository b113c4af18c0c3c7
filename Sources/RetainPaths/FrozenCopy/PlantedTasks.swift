#if os(Linux) && arch(x86_64) && canImport(Glibc)
import CRetainPaths
import LifetimeTracer

/// Tasks whose states are known, for the check that the frozen copy can read the tasks of this Swift runtime.
///
/// The parts of a task that tell its state are no public interface of the runtime. A runtime with other parts fails the
/// check, and tasks are then not listed.
struct PlantedTasks: Sendable {
    /// An executor that runs each job on the thread that enqueues it, or keeps all jobs until the end.
    ///
    /// A task has therefore reached its state when the function that starts it returns.
    private final class PlantingExecutor: TaskExecutor {
        private struct State: LockedState {
            var keepsJobs: Bool
            var kept: [UnownedJob] = []
        }

        private let state: Locked<State>

        init(keepsJobs: Bool) { state = Locked(State(keepsJobs: keepsJobs)) }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            let isKept = state.withLock { state in
                if state.keepsJobs { state.kept.append(job) }
                return state.keepsJobs
            }
            if !isKept { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }

        /// Runs the jobs that were kept, and all later ones at once.
        func letGo() {
            let jobs = state.withLock { state in
                state.keepsJobs = false
                return state.kept
            }
            for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }

    /// Facts that the planted tasks write while they run.
    private final class Notes: Sendable {
        private struct State: LockedState {
            var continuations: [UnsafeContinuation<Void, Never>] = []
            /// The tasks that await a continuation, in the order in which they began.
            var waiting: [AskingTask] = []
            var areMarkedAsRunning = true
        }

        private let state = Locked(State())

        var waiting: [AskingTask] { state.withLock { $0.waiting } }
        var areMarkedAsRunning: Bool { state.withLock { $0.areMarkedAsRunning } }

        /// Notes the current task, and suspends it until the end of the check.
        @inline(never)
        func suspend() async {
            let task = AskingTask.current
            // Safe: the task exists, because it is the current one.
            let isMarked = task.map { rp_is_marked_as_running(UInt($0.inverted)) } ?? false
            await withUnsafeContinuation { continuation in
                state.withLock { state in
                    state.continuations.append(continuation)
                    state.waiting += [task].compactMap(\.self)
                    if !isMarked { state.areMarkedAsRunning = false }
                }
            }
        }

        func resume() {
            let continuations = state.withLock { state in
                defer { state.continuations = [] }
                return state.continuations
            }
            for continuation in continuations { continuation.resume() }
        }
    }

    /// A planted task, and what the copy must find of it.
    private struct Expectation: Sendable {
        let task: AskingTask
        let state: rp_task_state
        /// The task that it awaits; `nil` if it awaits none, or if that is not known.
        var awaits: AskingTask?
        var parent: AskingTask?
        var isCancelled = false
    }

    private let notes = Notes()
    private let executor = PlantingExecutor(keepsJobs: false)
    private let keeper = PlantingExecutor(keepsJobs: true)
    private let expectations: [Expectation]

    /// Starts the tasks; each has reached its state when the initializer returns.
    @inline(never)
    init() {
        let waiting = Task.detached(executorPreference: executor) { [notes] in await notes.suspend() }
        let follower = Task.detached(executorPreference: executor) { await waiting.value }
        follower.cancel()
        let group = Task.detached(executorPreference: executor) { [notes] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await notes.suspend() }
                await group.waitForAll()
            }
        }
        let parent = Task.detached(executorPreference: executor) { [notes] in
            async let child: Void = notes.suspend()
            await child
        }
        let ready = Task.detached(executorPreference: keeper) {}
        let inside = notes.waiting
        guard inside.count == 3 else {
            expectations = []
            return
        }
        expectations = [
            Expectation(task: AskingTask(waiting), state: RP_TASK_AWAITS_CONTINUATION),
            Expectation(
                task: AskingTask(follower), state: RP_TASK_AWAITS_TASK, awaits: AskingTask(waiting), isCancelled: true),
            Expectation(task: AskingTask(group), state: RP_TASK_AWAITS_GROUP),
            Expectation(task: inside[1], state: RP_TASK_AWAITS_CONTINUATION, parent: AskingTask(group)),
            Expectation(task: AskingTask(parent), state: RP_TASK_AWAITS_TASK, awaits: inside[2]),
            Expectation(task: inside[2], state: RP_TASK_AWAITS_CONTINUATION, parent: AskingTask(parent)),
            Expectation(task: AskingTask(ready), state: RP_TASK_WAITS_FOR_EXECUTOR),
        ]
    }

    /// Marks the tasks in the memory for a list, so that the copy describes them, and does not list them.
    func mark(in memory: TaskMemory) {
        for expected in expectations { rp_plant_task(memory.pointer, UInt(expected.task.inverted)) }
    }

    /// Ends the tasks.
    func undo() {
        keeper.letGo()
        notes.resume()
    }

    /// How the description of the tasks differs from the expected one; `nil` if it does not.
    func difference(in memory: TaskMemory) -> String? {
        let found = memory.planted
        guard !expectations.isEmpty, found.count == expectations.count else { return "the planted Tasks did not run" }
        guard notes.areMarkedAsRunning else { return "a running Task is not marked as running" }
        for (expected, found) in zip(expectations, found) {
            guard found.task.address != 0 else { return "a planted Task was not found" }
            guard rp_task_state(UInt32(found.task.state)) == expected.state else {
                return "a planted Task has state \(found.task.state) instead of \(expected.state.rawValue)"
            }
            guard expected.awaits.map({ $0.inverted == ~UInt64(found.task.awaits) }) ?? true else {
                return "a planted Task awaits another Task than expected"
            }
            guard expected.parent?.inverted ?? ~0 == ~UInt64(found.task.parent) else {
                return "a planted Task has another parent than expected"
            }
            guard found.task.is_cancelled == expected.isCancelled else {
                return "the cancellation of a planted Task is wrong"
            }
            guard expected.state == RP_TASK_WAITS_FOR_EXECUTOR || found.frames.count > 1 else {
                return "the async functions of a planted Task were not found"
            }
        }
        // Numbers rise, and start again at 0 after the largest.
        let numbers = found.prefix(2).map(\.task.id)
        return Int32(bitPattern: numbers[1] &- numbers[0]) > 0 ? nil : "the numbers of planted Tasks do not rise"
    }
}
#endif
