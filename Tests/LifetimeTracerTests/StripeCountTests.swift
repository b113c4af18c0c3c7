import ForkTesting
import LifetimeTracer
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// The counters and the room of the threads' stripes.
///
/// Each test runs in its own process, in which the first type's counters are the first ones.
@Suite struct StripeCountTests {
    /// `@unchecked Sendable` is safe because the class has no state.
    private final class Nested<Inner>: TracedObject, @unchecked Sendable, LockedState {}

    /// Makes one object of each of many types.
    private static func makeNested<Inner>(_: Inner.Type, depth: Int) -> [AnyObject] {
        depth == 0 ? [] : [Nested<Inner>()] + makeNested(Nested<Inner>.self, depth: depth - 1)
    }

    /// Objects for another thread, the only one that uses them then.
    ///
    /// `@unchecked Sendable` is safe for that reason.
    private struct Cargo: @unchecked Sendable, LockedState {
        var objects: [AnyObject] = []
    }

    /// A stripe begins with the counters of 64 types, 17 of which belong to no type.
    @Test func objectsOfNewTypesDieOnOldThreads() async {
        await #expect(processExitsWith: .success) {
            let cargo = Locked(Cargo())
            let state = Locked(0)
            let old = OSThread {
                withExtendedLifetime(SharedStorm.Leaf()) {}
                state.withLock { $0 = 1 }
                while state.withLock({ $0 == 1 }) { sched_yield() }
                let objects = cargo.withLock { cargo in
                    defer { cargo = Cargo() }
                    return cargo
                }
                withExtendedLifetime(objects) {}
            }
            while state.withLock({ $0 == 0 }) { sched_yield() }
            cargo.withLock { $0.objects = Self.makeNested(Int.self, depth: 80) }
            let before = LifetimeRegistry.shared.snapshot()
            demand(before.live == 80 && before.types.count { $0.live == 1 } == 80)
            state.withLock { $0 = 2 }
            old.join()
            let after = LifetimeRegistry.shared.snapshot()
            demand(after.live == 0 && after.types.allSatisfy { $0.live == 0 && $0.born == $0.died })
            demand(Disagreement.of(after) == nil)
        }
    }

    /// The room that deaths leave is used before the peak rises, although the thread has set it apart for its births.
    @Test func peakIsExactWhenThreadsUseEachOthersRoom() async {
        await #expect(processExitsWith: .success) {
            var objects = (0..<100).map { _ in SharedStorm.Leaf() }
            objects.removeLast(50)
            // More objects would use up room that is raised by mistake, and hide the mistake.
            let other = Locked<SharedStorm.Leaf?>(nil)
            OSThread { other.withLock { $0 = SharedStorm.Leaf() } }.join()
            let summary = LifetimeRegistry.shared.summary()
            demand(summary.live == 51 && summary.peak == 100, "\(summary.live) live, peak \(summary.peak)")
            demand(LifetimeRegistry.shared.snapshot().types.first?.peak == 100)
            withExtendedLifetime(objects) {}
        }
    }
}
