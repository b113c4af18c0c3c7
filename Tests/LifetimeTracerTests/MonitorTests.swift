import Testing

@testable import LifetimeTracer

#if canImport(Glibc)
import Glibc
#endif

/// Which accesses to a monitor wake the threads that wait for a change.
@Suite struct MonitorTests {
    private struct State: LockedState {
        var checks = 0
        var isOver = false
    }

    @Test func readingWakesNobody() {
        let monitor = Monitor(State())
        let waiter = OSThread {
            monitor.wait { state -> Monitor<State>.Outcome<Void> in
                state.checks += 1
                return state.isOver ? .holds(()) : .waits(atMost: nil)
            }
        }
        while monitor.read({ $0.checks }) == 0 { sched_yield() }
        for _ in 0..<2000 {
            _ = monitor.read { $0.checks }
            sched_yield()
        }
        // The system may end a wait without a reason, but hardly ever.
        #expect(monitor.read { $0.checks } < 10)
        monitor.withLock { $0.isOver = true }
        waiter.join()
    }
}
