#if os(Linux) && arch(x86_64) && canImport(Glibc)
import LifetimeTracer
import Testing

@testable import RetainPaths

private final class ParentCargo: Sendable {}

/// What the Tasks of a capture hold: the objects in their own frames, and the captures of their closures.
@Suite(.disabledUnderSanitizers, .serialized) struct HeapTaskHoldingsTests {
    @inline(never)
    private static func makeParentCargo() -> ParentCargo { ParentCargo() }

    @inline(never)
    private static func awaitChildWithCargo() async {
        let cargo = makeParentCargo()
        async let child: Void = PlantedStates.awaitContinuation(PlantedStates.makeCargo())
        await child
        withExtendedLifetime(cargo) {}
    }

    @Test func childOfAsyncLetHoldsTheObjectsOfItsOwnFrames() async throws {
        let executor = RequestExecutor()
        let task = executor.start { await Self.awaitChildWithCargo() }
        let graph = try await HeapGraph.capture(options: Engine.patient)
        executor.letGo()
        PlantedStates.resumeContinuations()
        await task.value
        let parents = graph.tasks.all.filter { task in
            task.parent == nil && task.functions.contains { $0.contains("awaitChildWithCargo") }
        }
        let parent = try #require(parents.first, "\(graph.tasks)")
        let child = try #require(graph.tasks.all.first { $0.parent == parent.id }, "\(graph.tasks)")
        #expect(parents.count == 1 && parent.holds.contains("ParentCargo"), "\(parent)")
        #expect(!parent.holds.contains("TaskCargo"), "\(parent)")
        #expect(child.holds.contains("TaskCargo") && !child.holds.contains("ParentCargo"), "\(child)")
    }

    @inline(never)
    private func startOnMainActor() -> Task<Void, Never> {
        let cargo = ReadyCargo()
        return Task { @MainActor in withExtendedLifetime(cargo) {} }
    }

    @Test func taskThatHasNotBegunIsNamedAndHoldsTheCapturesOfItsClosure() async throws {
        let (task, graph) = try await PlantedStates.withOccupiedMainActor {
            (startOnMainActor(), try await HeapGraph.capture(options: Engine.patient))
        }
        await task.value
        let tasks = graph.tasks.all
        let found = try #require(tasks.first { $0.name.contains("startOnMainActor") }, "\(tasks)")
        #expect(found.state == .actor && found.awaits == "MainActor" && found.isOfProgram, "\(found)")
        #expect(found.holds.contains("ReadyCargo"), "\(found)")
        #expect(!found.holds.contains { $0.contains("Executor") }, "it awaits the executor: \(found)")
    }
}
#endif
