#if os(Linux) && arch(x86_64) && canImport(Glibc)
import LifetimeTracer
import Testing

@testable import RetainPaths

/// Findings about objects that the requesting task or a task that awaits it holds.
@Suite(.disabledUnderSanitizers) struct EngineRequestingTaskTests {
    /// The requesting task may itself hold the object in a variable.
    @Test func objectInVariableOfRequestingTaskIsReachable() async throws {
        let registry = LifetimeRegistry(clock: ManualClock())
        let instance = registry.withCurrent { Self.made() }
        let report = try await RetainPaths.explain([instance.lifetime.id], in: registry)
        let explanation = try #require(report.explanations.first)
        #expect(explanation.status == .reachable, "\(explanation.text(full: true))")
        #expect(explanation.path.first?.name == "the requesting Task", "\(explanation.text(full: true))")
        #expect(explanation.strongReferences == explanation.explainedReferences)
        withExtendedLifetime(instance) {}
    }

    /// The requesting task is a root even if other objects reference it.
    @Test func requestingTaskReferencedByOtherObjectsIsRoot() async throws {
        let (isKept, keeps) = AsyncStream.makeStream(of: Void.self)
        let task = Task { () -> RetainExplanation? in
            for await _ in isKept {}
            return try await Self.explanation(ofVariableBelow: 400)
        }
        Self.known.withLock { $0 = task }
        defer { Self.known.withLock { $0 = nil } }
        keeps.finish()
        let explanation = try #require(await task.value)
        #expect(explanation.status == .reachable, "\(explanation.text(full: true))")
        #expect(explanation.path.first?.name == "the requesting Task", "\(explanation.text(full: true))")
        #expect(explanation.path.contains { $0.name.hasSuffix("bytes of a Task's memory") })
    }

    private static let known = Locked<Task<RetainExplanation?, any Error>?>(nil)

    /// The explanation of an object in a variable, requested below many nested calls, so that the task allocates memory
    /// for each.
    private static func explanation(ofVariableBelow calls: Int) async throws -> RetainExplanation? {
        if calls > 0 {
            let explanation = try await explanation(ofVariableBelow: calls - 1)
            await Task.yield()
            return explanation
        }
        let registry = LifetimeRegistry(clock: ManualClock())
        let instance = registry.withCurrent { Self.made() }
        defer { withExtendedLifetime(instance) {} }
        return try await RetainPaths.explain([instance.lifetime.id], in: registry).explanations.first
    }

    /// The requesting task is the shown root, and neither the awaiting task nor the running thread.
    @Test func awaitedRequestingTaskIsTheReportedRoot() async throws {
        let registry = LifetimeRegistry(clock: ManualClock())
        let explanation = try await withThrowingTaskGroup(of: RetainExplanation?.self) { group in
            group.addTask {
                let instance = registry.withCurrent { Self.made() }
                let report = try await RetainPaths.explain([instance.lifetime.id], in: registry)
                withExtendedLifetime(instance) {}
                return report.explanations.first
            }
            return try #require(try await group.next() ?? nil)
        }
        let shown = explanation.path.filter { !$0.isFolded }.map(\.name)
        #expect(shown == ["the requesting Task", "TracedObject"], "\(explanation.text(full: true))")
        #expect(explanation.suspect == nil && explanation.hint == nil)
    }

    /// A task that awaits the requesting task is a root, and no cycle through it is a leak.
    @Test(arguments: AwaitingKind.allCases)
    fileprivate func taskAwaitingTheRequestingTaskIsRoot(way: AwaitingKind) async throws {
        let known = Locked<Task<RetainExplanation?, any Error>?>(nil)
        let (isKept, keeps) = AsyncStream.makeStream(of: Void.self)
        let waiting = Task { () -> RetainExplanation? in
            for await _ in isKept {}
            // This variable makes the task's memory part of a cycle.
            defer { withExtendedLifetime(known) {} }
            let registry = LifetimeRegistry(clock: ManualClock())
            let instance = registry.withCurrent { Self.made() }
            defer { withExtendedLifetime(instance) {} }
            return try await way.ask(for: instance.lifetime.id, in: registry)
        }
        known.withLock { $0 = waiting }
        defer { known.withLock { $0 = nil } }
        keeps.finish()
        let explanation = try #require(await waiting.value)
        #expect(explanation.status == .reachable, "\(explanation.text(full: true))")
        let shown = explanation.path.filter { !$0.isFolded }.map(\.name)
        #expect(shown.last == "TracedObject" && shown.count == 2, "\(explanation.text(full: true))")
        // The requesting task may have reused memory of the awaiting task, with the stale reference still in it.
        let roots = ["a Task awaiting the requesting Task", "the requesting Task"]
        #expect(roots.contains(shown[0]), "\(explanation.text(full: true))")
        #expect(explanation.suspect == nil && explanation.hint == nil)
    }

    /// Not inlined, so that the object is on the heap.
    ///
    /// The optimiser may put an object that does not escape its function into the function's frame.
    @inline(never) private static func made() -> TracedObject { TracedObject() }
}

/// The ways in which a task awaits the requesting task.
private enum AwaitingKind: CaseIterable, Sendable {
    case group, asyncLet, value, valueOfAChild

    func ask(for id: InstanceID, in registry: LifetimeRegistry) async throws -> RetainExplanation? {
        switch self {
        case .group:
            return try await withThrowingTaskGroup(of: RetainExplanation?.self) { group in
                group.addTask { try await Self.answer(about: id, in: registry) }
                return try await group.next() ?? nil
            }
        case .asyncLet:
            async let answer = Self.answer(about: id, in: registry)
            return try await answer
        case .value:
            return try await Task { try await Self.answer(about: id, in: registry) }.value
        case .valueOfAChild:
            async let answer = Task.detached { try await Self.answer(about: id, in: registry) }.value
            return try await answer
        }
    }

    private static func answer(about id: InstanceID, in registry: LifetimeRegistry) async throws -> RetainExplanation? {
        try await RetainPaths.explain([id], in: registry).explanations.first
    }
}
#endif
