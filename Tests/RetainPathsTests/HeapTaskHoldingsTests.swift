#if os(Linux) && arch(x86_64) && canImport(Glibc)
import LifetimeTracer
import Testing

@testable import RetainPaths

private final class ParentCargo: Sendable {}
private final class ChildCargo: Sendable {}
private final class StartCargo: Sendable {}

/// What the Tasks of a capture hold: the objects in their own frames, and the captures of their closures.
///
/// The Tasks and their objects are of this suite alone, because other suites count and resume theirs in parallel.
@Suite(.disabledUnderSanitizers, .serialized) struct HeapTaskHoldingsTests {
    @inline(never)
    private static func makeParentCargo() -> ParentCargo { ParentCargo() }

    @inline(never)
    private static func makeChildCargo() -> ChildCargo { ChildCargo() }

    @inline(never)
    private static func sleepUntilCancelled(_ cargo: ChildCargo) async {
        try? await Task.sleep(for: .seconds(3600))
        withExtendedLifetime(cargo) {}
    }

    @inline(never)
    private static func awaitChildWithCargo() async {
        let cargo = makeParentCargo()
        async let child: Void = sleepUntilCancelled(makeChildCargo())
        await child
        withExtendedLifetime(cargo) {}
    }

    @Test func childOfAsyncLetHoldsTheObjectsOfItsOwnFrames() async throws {
        let executor = RequestExecutor()
        let task = executor.start { await Self.awaitChildWithCargo() }
        let graph = try await HeapGraph.capture(options: Engine.patient)
        executor.letGo()
        task.cancel()
        await task.value
        let parents = graph.tasks.all.filter { task in
            task.parent == nil && task.functions.contains { $0.contains("awaitChildWithCargo") }
        }
        let parent = try #require(parents.first, "\(graph.tasks)")
        let child = try #require(graph.tasks.all.first { $0.parent == parent.id }, "\(graph.tasks)")
        #expect(parents.count == 1 && parent.holds.contains("ParentCargo"), "\(parent)")
        #expect(!parent.holds.contains("ChildCargo"), "\(parent)")
        #expect(child.holds.contains("ChildCargo") && !child.holds.contains("ParentCargo"), "\(child)")
    }

    @inline(never)
    private func startOnMainActor() -> Task<Void, Never> {
        let cargo = StartCargo()
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
        #expect(found.holds.contains("StartCargo"), "\(found)")
        #expect(!found.holds.contains { $0.contains("Executor") }, "it awaits the executor: \(found)")
    }
}
#endif
