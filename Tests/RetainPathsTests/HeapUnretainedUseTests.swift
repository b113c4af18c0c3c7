#if os(Linux) && arch(x86_64) && canImport(Glibc)
import LifetimeTracer
import Testing

@testable import RetainPaths

private final class LeakSelfKeeper {
    var me: LeakSelfKeeper?
}

private final class LeakKnownKeeper {
    var me: LeakKnownKeeper?
}

/// `nonisolated(unsafe)` is safe because one test alone uses the variable.
nonisolated(unsafe) private var knownKeeper: Unmanaged<LeakKnownKeeper>?

private final class LeakHandle: @unchecked Sendable {
    // `@unchecked Sendable` is safe because each object belongs to one test.
    var keeper: Unmanaged<LeakSelfKeeper>?
}

/// A cycle that the program may use through a reference that does not retain it is no certain leak.
@Suite(.disabledUnderSanitizers) struct HeapUnretainedUseTests {
    private static func leaks(_ name: String, in graph: HeapGraph) -> [HeapGraph.Leak] {
        graph.leaks.all.filter { $0.name == name }
    }

    /// The program may use such an object through the reference.
    @Test func cycleToWhichAnUnmanagedReferenceLeadsIsUncertain() async throws {
        let handle = Self.keepItself()
        let graph = try await HeapGraph.capture(options: Engine.patient)
        let found = Self.leaks("LeakSelfKeeper", in: graph)
        #expect(found.map(\.kind) == [.uncertainCycle], "\(found)")
        handle.keeper = nil
        let later = try await HeapGraph.capture(options: Engine.patient)
        #expect(Self.leaks("LeakSelfKeeper", in: later).map(\.kind) == [.cycle])
    }

    @Test func cycleToWhichAVariableLeadsIsUncertain() async throws {
        Self.keepItselfForVariable()
        let graph = try await HeapGraph.capture(options: Engine.patient)
        let found = Self.leaks("LeakKnownKeeper", in: graph)
        #expect(found.map(\.kind) == [.uncertainCycle], "\(found)")
        knownKeeper = nil
        let later = try await HeapGraph.capture(options: Engine.patient)
        #expect(Self.leaks("LeakKnownKeeper", in: later).map(\.kind) == [.cycle])
    }

    @inline(never)
    private static func keepItselfForVariable() {
        let keeper = LeakKnownKeeper()
        keeper.me = keeper
        knownKeeper = .passUnretained(keeper)
    }

    @inline(never)
    private static func keepItself() -> LeakHandle {
        let (keeper, handle) = (LeakSelfKeeper(), LeakHandle())
        keeper.me = keeper
        handle.keeper = .passUnretained(keeper)
        return handle
    }
}
#endif
