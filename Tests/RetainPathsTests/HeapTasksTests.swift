#if os(Linux) && arch(x86_64) && canImport(Glibc)
import Dispatch
import LifetimeTracer
import Testing

@testable import RetainPaths

private actor TaskActor {
    /// Occupies the actor until the semaphore is signalled.
    func occupy(_ end: DispatchSemaphore, begun: @Sendable () -> Void) {
        begun()
        end.wait()
    }

    func visit() {}
}

private final class TaskCargo: Sendable {}

/// One Task of each kind.
///
/// Each function has a name of its own, by which the test finds the Task.
private enum PlantedTasks {
    static let continuations = Locked<[CheckedContinuation<Void, Never>]>([])
    static let begun = Locked(0)

    static func awaitContinuation(_ cargo: TaskCargo) async {
        await withCheckedContinuation { continuation in continuations.withLock { $0.append(continuation) } }
        withExtendedLifetime(cargo) {}
    }

    static func awaitSleep() async {
        begun.withLock { $0 += 1 }
        try? await Task.sleep(for: .seconds(100_000))
    }

    static func awaitValue(of other: Task<Void, Never>) async {
        begun.withLock { $0 += 1 }
        await other.value
    }

    static func awaitGroup() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await awaitSleep() }
            await group.waitForAll()
        }
    }

    static func awaitAsyncLet() async {
        async let child: Void = awaitSleep()
        await child
    }

    static func awaitActor(_ actor: TaskActor) async {
        begun.withLock { $0 += 1 }
        await actor.visit()
    }

    static func occupyActor(_ actor: TaskActor, _ end: DispatchSemaphore) async {
        await actor.occupy(end) { begun.withLock { $0 += 1 } }
    }
}

/// The Tasks of a capture, with their states, functions, parents and children.
@Suite(.disabledUnderSanitizers) struct HeapTasksTests {
    private func task(
        _ function: String, in graph: HeapGraph, where condition: (HeapGraph.Task) -> Bool = { _ in true }
    ) -> HeapGraph.Task? {
        graph.tasks.all.first { task in
            task.frames.contains { $0.contains("PlantedTasks.\(function)") } && condition(task)
        }
    }

    @Test func everyKindOfTaskIsListedWithItsState() async throws {
        let actor = TaskActor()
        let end = DispatchSemaphore(value: 0)
        let continuation = Task.detached { await PlantedTasks.awaitContinuation(TaskCargo()) }
        let occupier = Task.detached { await PlantedTasks.occupyActor(actor, end) }
        while PlantedTasks.begun.withLock({ $0 }) < 1 { await Task.yield() }
        let others = [
            Task.detached { await PlantedTasks.awaitSleep() },
            Task.detached { await PlantedTasks.awaitValue(of: continuation) },
            Task.detached { await PlantedTasks.awaitGroup() }, Task.detached { await PlantedTasks.awaitAsyncLet() },
            Task.detached { await PlantedTasks.awaitActor(actor) },
        ]
        others[0].cancel()
        let sleeper = Task.detached { await PlantedTasks.awaitSleep() }
        let isDone = { (graph: HeapGraph) in
            task("awaitActor", in: graph)?.state == .actor && task("awaitValue", in: graph)?.state == .task
                && task("awaitGroup", in: graph)?.state == .child && task("awaitAsyncLet", in: graph)?.state == .child
                && task("awaitContinuation", in: graph)?.state == .continuation
        }
        var graph = try await HeapGraph.capture(options: Engine.patient)
        for _ in 0..<20 where !isDone(graph) { graph = try await HeapGraph.capture(options: Engine.patient) }
        let (obstacle, leftOut) = (graph.tasks.obstacle, graph.tasks.leftOut)
        #expect(obstacle == nil && leftOut == 0)
        let plantedWaiting = task("awaitContinuation", in: graph)
        let waiting = try #require(plantedWaiting)
        #expect(waiting.state == .continuation && waiting.isOfProgram && waiting.parent == nil && !waiting.isCancelled)
        #expect(waiting.holds.contains("TaskCargo"), "\(waiting)")
        let plantedValue = task("awaitValue", in: graph)
        let value = try #require(plantedValue)
        #expect(value.state == .task && value.awaits == "Task \(waiting.id)", "\(value)")
        let occupying = task("occupyActor", in: graph)
        #expect(occupying?.state == .running)
        let plantedVisitor = task("awaitActor", in: graph)
        let visitor = try #require(plantedVisitor)
        #expect(visitor.state == .actor && visitor.awaits == "TaskActor", "\(visitor)")
        for name in ["awaitGroup", "awaitAsyncLet"] {
            let found = task(name, in: graph) { !$0.children.isEmpty }
            let parent = try #require(found, "\(graph.tasks.all)")
            #expect(parent.state == .child && parent.children.count == 1, "\(parent)")
            let own = graph.tasks.all.first { $0.id == parent.children[0] }
            let child = try #require(own)
            #expect(child.parent == parent.id && child.state == .sleep, "\(child)")
        }
        let sleeping = graph.tasks.all.filter { task in
            task.state == .sleep && task.frames.contains { $0.contains("PlantedTasks.awaitSleep()") }
        }
        #expect(sleeping.count >= 3, "\(graph.tasks.all)")
        let states = graph.tasks.all.map { HeapGraph.Task.State.allCases.firstIndex(of: $0.state) ?? 0 }
        #expect(states == states.sorted(), "Tasks that only others can resume come first")
        end.signal()
        for continuation in PlantedTasks.continuations.withLock({ $0 }) { continuation.resume() }
        for task in others + [sleeper, occupier, continuation] {
            task.cancel()
            await task.value
        }
        let rest = try await HeapGraph.capture(options: Engine.patient)
        let ended = task("awaitContinuation", in: rest)
        #expect(ended == nil, "Tasks that have ended are not listed")
    }
}
#endif
