import Dispatch
import LifetimeTracer
import Testing

@testable import LifetimeTracer

/// The activity of the tracer's thread, which is read without waiting for that thread.
@Suite struct ActivityTests {
    /// A clock that claims to run by itself, but that the test advances.
    ///
    /// The tracer's thread does not see the new time until the test permits it.
    ///
    /// Therefore the thread stays asleep even if it reads the clock late.
    private final class LaggingClock: TracerClock {
        private let manual = ManualClock()
        private let start: MonotonicTime
        private let testThread = ThreadIdentity.current
        private let isSeenByAll = Locked(false)
        var runsByItself: Bool { true }

        init() {
            start = manual.now()
        }

        func now() -> MonotonicTime {
            ThreadIdentity.current == testThread || isSeenByAll.withLock { $0 } ? manual.now() : start
        }
        func wallNow() -> WallTime { manual.wallNow() }
        func advance(by duration: Duration) { manual.advance(by: duration) }
        func showAll() { isSeenByAll.withLock { $0 = true } }
    }

    @Test func unusedThreadReportsNoRoundAndNoBacklog() {
        let activity = Bench().registry.activity()
        #expect(activity.roundSince == nil && activity.lastRoundAt == nil && activity.due == nil)
        #expect(activity.delivery.waiting == 0)
    }

    @Test func activityReportsAMissedRound() throws {
        let clock = LaggingClock()
        let registry = LifetimeRegistry(clock: clock)
        let plain = registry.withCurrent { Plain() }
        registry.check()
        try registry.expectDeallocation(of: plain, within: .seconds(3600), because: "closed")
        clock.advance(by: .seconds(3700))
        // Reading the activity must not wake the thread.
        for _ in 0..<3 {
            let activity = registry.activity()
            #expect(activity.due.map { activity.at - $0 } == .seconds(100))
        }
        clock.showAll()
        registry.check()
        #expect(registry.activity().due == nil)
        #expect(registry.activity().lastRoundAt == clock.now())
        withExtendedLifetime(plain) {}
    }

    @Test func activityReportsABlockedObserverAndItsBacklog() throws {
        let bench = Bench()
        let (isCalled, mayReturn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        bench.registry.observeVerdicts(
            .closure { _ in
                isCalled.signal()
                mayReturn.wait()
            }
        ).keep()
        let plain = bench.make { Plain() }
        for _ in 0..<3 { try bench.registry.expectDeallocation(of: plain, within: .seconds(1), because: "closed") }
        bench.clock.advance(by: .seconds(5))
        // This call wakes the thread and does not wait for it.
        try bench.registry.expectDeallocation(of: plain, within: .seconds(60), because: "later")
        isCalled.wait()
        bench.clock.advance(by: .seconds(7))
        let activity = bench.registry.activity()
        #expect(activity.roundSince.map { activity.at - $0 } == .seconds(7))
        #expect(activity.delivery.observerSince.map { activity.at - $0 } == .seconds(7))
        #expect(activity.delivery.oldestWaiting.map { activity.at - $0 } == .seconds(7))
        #expect(activity.delivery.waiting == 3)
        for _ in 0..<3 { mayReturn.signal() }
        bench.registry.check()
        let after = bench.registry.activity()
        #expect(after.roundSince == nil && after.delivery.observerSince == nil && after.delivery.waiting == 0)
        #expect(after.delivery.lastAt == bench.clock.now())

        // The thread sleeps now, and only a call can wake it, because this clock does not run by itself.
        bench.clock.advance(by: .seconds(60))
        try bench.registry.expectDeallocation(of: plain, within: .seconds(600), because: "much later")
        isCalled.wait()
        mayReturn.signal()
        withExtendedLifetime(plain) {}
    }

    @Test func kindsOfTokensAreBounded() {
        let bench = Bench()
        let tokens = bench.make {
            (0..<5000).map { ObserverToken(TokenKind(rawValue: "kind \($0)"), event: "event") {} }
        }
        let totals = bench.registry.summary().tokens
        #expect(totals.byKind.count <= 4096 + 65)
        #expect(totals.registered == 5000)
        #expect(totals.byKind.reduce(0) { $0 + $1.registered } == 5000)
        withExtendedLifetime(tokens) {}
    }
}
