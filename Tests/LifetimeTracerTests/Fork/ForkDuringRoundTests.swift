import CForkBarrier
import ForkTesting
import Testing

@testable import LifetimeTracer

#if canImport(Glibc)
import Glibc
#endif

/// The tracer's thread around `fork`: Swift's runtime takes locks while it makes metadata, and a lock that is taken
/// during a fork stays taken in the child.
@Suite struct ForkDuringRoundTests {
    /// The system's clock, which notes whether the thread that asks for the time is inside the fork barrier.
    private final class WatchingClock: TracerClock {
        let outside = Locked(0)
        let inside = Locked(0)

        var runsByItself: Bool { true }

        func now() -> MonotonicTime {
            (lt_fork_depth() > 0 ? inside : outside).withLock { $0 += 1 }
            return SystemClock().now()
        }

        func wallNow() -> WallTime { SystemClock().wallNow() }
    }

    @Test func roundsRunInsideTheForkBarrierAndObserversOutside() throws {
        let registry = LifetimeRegistry()
        let depth = Locked<UInt32?>(nil)
        let isTold = Event()
        let observation = registry.observeVerdicts(
            .closure { _ in
                let current = lt_fork_depth()
                depth.withLock { $0 = current }
                isTold.occur()
            })
        let plain = registry.withCurrent { Plain() }
        try registry.expectDeallocation(of: plain, within: .milliseconds(1), because: "soon")
        isTold.wait()
        #expect(depth.withLock(\.self) == 0)
        withExtendedLifetime((plain, observation)) {}

        let clock = WatchingClock()
        let watched = LifetimeRegistry(clock: clock)
        clock.outside.withLock { $0 = 0 }
        _ = watched.evaluate()
        #expect(clock.outside.withLock(\.self) == 0 && clock.inside.withLock(\.self) > 0)
    }

    @Test(.enabled(if: Sanitizer.allowsChildren)) func forkDoesNotWaitForAThreadThatWaitsInsideTheBarrier() async {
        await #expect(processExitsWith: .success) {
            endThisProcess(after: 60)
            let monitor = Monitor(0)
            let waiter = OSThread {
                lt_fork_enter()
                lt_fork_enter()
                monitor.withLock { $0 = 1 }
                monitor.wait { $0 == 2 ? .holds(()) : Monitor<Int>.Outcome<Void>.waits(atMost: nil) }
                #expect(lt_fork_depth() == 2)
                lt_fork_leave()
                lt_fork_leave()
            }
            monitor.wait { $0 == 1 ? .holds(()) : Monitor<Int>.Outcome<Void>.waits(atMost: nil) }
            // After 3 seconds, a fork gives up, and the child cannot use the barrier.
            let end = ChildProcess.run { Int32(monitor.read { $0 }) }
            #expect(end == .code(1))
            monitor.withLock { $0 = 2 }
            waiter.join()
        }
    }
}
