#if os(Linux) && arch(x86_64) && canImport(Glibc)
import CRetainPaths
import Dispatch
import LifetimeTracer
import Testing
import TracerBase

@testable import RetainPaths

/// The Tasks of a capture, with their states, functions, parents and children.
@Suite(.disabledUnderSanitizers, .serialized) struct HeapTasksTests {
    private let executor = RequestExecutor()

    private func tasks(_ function: String, in graph: HeapGraph) -> [HeapGraph.Task] {
        graph.tasks.all.filter { task in task.functions.contains { $0.contains("PlantedStates.\(function)") } }
    }

    /// The only Task in a function.
    private func task(_ function: String, in graph: HeapGraph) throws -> HeapGraph.Task {
        let found = tasks(function, in: graph)
        #expect(found.count == 1, "\(function): \(found)")
        return try #require(found.first, "\(function): \(graph.tasks)")
    }

    @inline(never)
    private func startWithCargo(on executor: RequestExecutor) -> Task<Void, Never> {
        let cargo = ReadyCargo()
        return Task.detached(executorPreference: executor) { withExtendedLifetime(cargo) {} }
    }

    private func startInACrowd() -> Task<Void, Never> { executor.start { await PlantedStates.awaitInACrowd() } }

    private func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

    @Test func everyKindOfTaskIsListedWithItsState() async throws {
        let actor = TaskActor()
        let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let blocked = RequestExecutor()
        let occupier = try SystemThread(named: "occupier") {
            _ = blocked.start { await PlantedStates.occupyActor(actor, begun, end) }
        }
        wait(for: begun)
        let waiting = executor.start { await PlantedStates.awaitContinuation(PlantedStates.makeCargo()) }
        let others = [
            executor.start { await PlantedStates.awaitSleep() },
            executor.start { await PlantedStates.awaitValue(of: waiting) },
            executor.start { await PlantedStates.awaitGroup() },
            executor.start { await PlantedStates.awaitAsyncLet() },
            executor.start { await PlantedStates.awaitActor(actor) },
        ]
        others[1].cancel()
        // The executor runs its jobs on request, and nobody requests it.
        let kept = RequestExecutor()
        let ready = startWithCargo(on: kept)
        let graph = try await HeapGraph.capture(options: Engine.patient)
        end.signal()
        occupier.join()
        let (obstacle, leftOut) = (graph.tasks.obstacle, graph.tasks.leftOut)
        #expect(obstacle == nil && leftOut == 0)
        let continuation = try task("awaitContinuation", in: graph)
        #expect(continuation.state == .continuation && continuation.isOfProgram && continuation.parent == nil)
        #expect(!continuation.isCancelled && continuation.children.isEmpty, "\(continuation)")
        #expect(continuation.holds.contains("TaskCargo"), "\(continuation)")
        let value = try task("awaitValue", in: graph)
        #expect(value.state == .task && value.awaits == "Task \(continuation.id)" && value.isCancelled, "\(value)")
        #expect(value.id > continuation.id)
        let occupying = try task("occupyActor", in: graph)
        #expect(occupying.state == .running, "\(occupying)")
        let visitor = try task("awaitActor", in: graph)
        #expect(visitor.state == .actor && visitor.awaits == "TaskActor", "\(visitor)")
        let unbegun = graph.tasks.all.filter { $0.holds.contains("ReadyCargo") }
        #expect(unbegun.count == 1 && unbegun[0].state == .ready && unbegun[0].awaits.isEmpty, "\(unbegun)")
        for name in ["awaitGroup", "awaitAsyncLet"] {
            let found = tasks(name, in: graph).first { !$0.children.isEmpty }
            let parent = try #require(found, "\(graph.tasks.all)")
            #expect(parent.state == .child && parent.children.count == 1, "\(parent)")
            let own = graph.tasks.all.first { $0.id == parent.children[0] }
            let child = try #require(own)
            #expect(child.parent == parent.id && child.state == .sleep, "\(child)")
        }
        let sleeping = tasks("awaitSleep", in: graph)
        #expect(sleeping.count == 3 && sleeping.allSatisfy { $0.state == .sleep }, "\(sleeping)")
        let wakers = graph.tasks.all.filter { $0.functions.isEmpty && $0.name.contains("sleep") }
        #expect(wakers.isEmpty, "a Task that only stands for a timer is left out")
        let ofSwift = graph.tasks.all.filter { task in task.functions.contains { $0.contains("Continuation<") } }
        #expect(ofSwift.isEmpty, "functions of Swift's libraries are left out")
        let states = graph.tasks.all.map { HeapGraph.Task.State.allCases.firstIndex(of: $0.state) ?? 0 }
        #expect(states == states.sorted(), "Tasks that only others can resume come first")
        executor.letGo()
        blocked.letGo()
        PlantedStates.resumeContinuations()
        kept.letGo()
        for task in others + [waiting, ready] {
            task.cancel()
            await task.value
        }
        let rest = try await HeapGraph.capture(options: Engine.patient)
        let ended = tasks("awaitContinuation", in: rest)
        #expect(ended.isEmpty, "Tasks that have ended are not listed")
    }

    @inline(never)
    private static func loseThree(on executor: RequestExecutor) {
        for _ in 0..<2 {
            _ = executor.start { await PlantedStates.loseContinuation(PlantedStates.makeCargo()) }
        }
        _ = executor.start { await PlantedStates.awaitLostChild(PlantedStates.makeCargo()) }
    }

    @Test func taskThatNothingCanResumeIsToldApart() async throws {
        // The stack of this thread would refer to the Tasks. So would that of another test's thread, if the C library
        // gave it the stack of the ended one as that one left it.
        let starter = try SystemThread(named: "starter") { [executor] in
            Self.loseThree(on: executor)
            rp_clear_stack()
        }
        starter.join()
        let waiting = executor.start { await PlantedStates.awaitContinuation(PlantedStates.makeCargo()) }
        let graph = try await HeapGraph.capture(options: Engine.patient)
        let lost = tasks("loseContinuation", in: graph)
        #expect(lost.count == 3 && lost.allSatisfy { $0.state == .continuation && $0.isStuck }, "\(lost)")
        let parents = tasks("awaitLostChild", in: graph).filter { !$0.children.isEmpty }
        let parent = try #require(parents.first, "\(graph.tasks)")
        #expect(parent.state == .child && parent.isStuck && lost.contains { $0.parent == parent.id }, "\(parent)")
        #expect(graph.tasks.all.prefix(4).allSatisfy { $0.isStuck }, "Tasks that nothing can resume come first")
        let found = try task("awaitContinuation", in: graph)
        #expect(found.state == .continuation && !found.isStuck, "\(found)")
        executor.letGo()
        PlantedStates.resumeContinuations()
        PlantedStates.resumeLostContinuations()
        await waiting.value
    }

    /// The parent can cancel the child, whose handler then resumes it.
    @Test func childThatHandlesItsCancellationIsNotStuck() async throws {
        let starter = try SystemThread(named: "starter") { [executor] in
            _ = executor.start { await PlantedStates.awaitCancellableChild(PlantedStates.makeCargo()) }
            rp_clear_stack()
        }
        starter.join()
        let graph = try await HeapGraph.capture(options: Engine.patient)
        executor.letGo()
        PlantedStates.resumeLostContinuations()
        let found = tasks("awaitCancellableChild", in: graph)
        #expect(found.count == 2 && found.allSatisfy { !$0.isStuck }, "\(found)")
    }

    @Test func taskInTheQueueOfACustomExecutorIsReady() async throws {
        let host = QueueingExecutor()
        let actor = HostedActor(on: host)
        let visitor = executor.start { await PlantedStates.awaitHostedActor(actor) }
        let graph = try await HeapGraph.capture(options: Engine.patient)
        executor.letGo()
        host.runAll()
        await visitor.value
        let found = try task("awaitHostedActor", in: graph)
        #expect(found.state == .ready && found.awaits == "QueueingExecutor" && !found.isStuck, "\(found)")
    }

    @Test func taskThatWaitsForTheMainActorSaysSo() async throws {
        let (visitor, graph) = try await PlantedStates.withOccupiedMainActor {
            let visitor = executor.start { await PlantedStates.awaitMainActor() }
            return (visitor, try await HeapGraph.capture(options: Engine.patient))
        }
        executor.letGo()
        await visitor.value
        let found = try task("awaitMainActor", in: graph)
        #expect(found.state == .actor && found.awaits == "MainActor", "\(found)")
    }

    @Test func crowdOfTasksDoesNotDisplaceTheOthers() async throws {
        let count = Int(RP_MAX_LISTED_TASKS) + 500
        var crowd: [Task<Void, Never>] = []
        for _ in 0..<count / 2 { crowd.append(startInACrowd()) }
        let alone = executor.start { await PlantedStates.awaitSleep() }
        for _ in 0..<count / 2 { crowd.append(startInACrowd()) }
        let graph = try await HeapGraph.capture(options: Engine.patient)
        executor.letGo()
        for continuation in PlantedStates.crowd.withLock({ $0 }) { continuation.resume() }
        alone.cancel()
        for task in crowd + [alone] { await task.value }
        let listed = tasks("awaitInACrowd", in: graph).count
        let leftOut = graph.tasks.leftOut
        #expect(listed == Int(RP_MAX_ALIKE_TASKS))
        #expect(leftOut >= crowd.count - listed && leftOut < crowd.count)
        #expect(tasks("awaitSleep", in: graph).count == 1)
    }

    @Test func tasksOfTheSelfCheckAreFoundAndNotListed() async throws {
        let (differences, listed) = try await RetainPaths.onSearchThread { _ in
            let memory = try #require(TaskMemory())
            let planted = PlantedTasks()
            planted.mark(in: memory)
            defer { planted.undo() }
            _ = try HeapAnswer.searchHere(
                .addresses([]), by: [], options: Engine.patient, tasks: memory, SearchObserver())
            let right = planted.difference(in: memory)
            // Another runtime might keep the state elsewhere.
            let wrong = (0..<Int(memory.pointer.pointee.planted_count)).map { index in
                Self.difference(of: planted, in: memory) { memory in
                    let place = UnsafeMutablePointer(mutating: rp_planted_task_at(memory.pointer, UInt32(index)))
                    place?.pointee.state = UInt8(RP_TASK_SUSPENDED.rawValue)
                }
            }
            let unfound = Self.difference(of: planted, in: memory) { memory in
                UnsafeMutablePointer(mutating: rp_planted_task_at(memory.pointer, 5))?.pointee.address = 0
            }
            let uncancelled = Self.difference(of: planted, in: memory) { memory in
                UnsafeMutablePointer(mutating: rp_planted_task_at(memory.pointer, 1))?.pointee.is_cancelled = false
            }
            let listed = memory.entries.filter { entry in
                memory.planted.contains { $0.task.address == entry.task.address }
            }
            return ([right, unfound, uncancelled] + wrong, listed.count)
        }
        #expect(differences[0] == nil && listed == 0)
        #expect(differences.count == 10 && differences.dropFirst().allSatisfy { $0 != nil }, "\(differences)")
    }

    @Test func listOutlivesAFailureOfTheSecondLook() async throws {
        let (list, missing) = try await RetainPaths.onSearchThread { _ in
            let memory = try #require(TaskMemory())
            let options = Engine.patient
            _ = try HeapAnswer.searchHere(.addresses([]), by: [], options: options, tasks: memory, SearchObserver())
            var naming = TaskNaming(lines: LineNaming(names: .process, libraryModules: []))
            let list = naming.tasks(memory, obstacle: "the second look took too long.")
            return (list, naming.tasks(try #require(TaskMemory()), obstacle: "the first look took too long."))
        }
        #expect(list.obstacle == nil && !list.all.isEmpty)
        #expect(missing.obstacle == "the first look took too long." && missing.all.isEmpty)
    }

    /// The difference after a change of the memory, which is undone.
    private static func difference(
        of planted: PlantedTasks, in memory: TaskMemory, after change: (TaskMemory) -> Void
    ) -> String? {
        let before = memory.pointer.pointee.planted
        change(memory)
        defer { memory.pointer.pointee.planted = before }
        return planted.difference(in: memory)
    }
}
#endif
