import Dispatch
import Foundation
import LifetimeTracer
import LifetimeTracerFoundation
import Testing

@Suite(.timeLimit(.minutes(20))) struct TimerTests {
    private let registry = LifetimeRegistry()

    @Test func dispatchTimerFiresUntilItsTokenIsReleased() async {
        let third = Signal()
        let calls = Counter()
        let owner = registry.withCurrent { Owner() }
        let queue = DispatchQueue(label: "ticks")
        var token: ObserverToken? = DispatchSource.timerToken(
            after: .milliseconds(1), every: .milliseconds(1), event: "tick", owner: owner, on: queue
        ) {
            calls.add()
            if calls.value == 3 { third.fire() }
        }
        await third.wait()
        #expect(token?.isInForce == true)
        let record = registry.tokens(of: "tick").first
        #expect(record?.kind == .timer)
        #expect(record?.owner?.id == owner.lifetimeID)
        token = nil
        // A running handler keeps the token until the handler ends.
        queue.sync {}
        let last = calls.value
        let later = Signal()
        queue.asyncAfter(deadline: .now() + .milliseconds(20)) { later.fire() }
        await later.wait()
        #expect(calls.value == last)
        #expect(registry.counts(of: "tick")?.removed == 1)
        #expect((registry.counts(of: "tick")?.deliveries ?? 0) >= 3)
    }

    @Test func aDispatchTimerThatFiresOnceEndsItself() async {
        let queue = DispatchQueue(label: "once")
        let fired = Signal()
        let token = DispatchSource.timerToken(after: .zero, event: "once", on: queue, registry: registry) {
            fired.fire()
        }
        await fired.wait()
        // The token ends on the queue, after the closure.
        queue.sync {}
        #expect(!token.isInForce)
        #expect(registry.counts(of: "once")?.deliveries == 1)
        #expect(registry.counts(of: "once")?.removed == 1)
    }

    @Test func negativeAndHugeTimerDelaysAreHarmless() async {
        let fired = Signal()
        let early = DispatchSource.timerToken(after: .seconds(-5), event: "early", registry: registry) { fired.fire() }
        let never = DispatchSource.timerToken(
            after: .seconds(Int64.max), every: .seconds(Int64.max), event: "never", registry: registry
        ) {}
        await fired.wait()
        #expect(never.isInForce)
        #expect(registry.counts(of: "never")?.deliveries == 0)
        // The largest number of whole seconds that 64 bits of nanoseconds can represent, plus more than the remainder.
        let edge = DispatchSource.timerToken(
            after: .seconds(9_223_372_036) + .milliseconds(900), event: "edge", registry: registry
        ) {}
        #expect(edge.isInForce)
        withExtendedLifetime(early) {}
    }

    @Test func removedDispatchTimerDoesNotFire() {
        let queue = DispatchQueue(label: "held")
        let calls = Counter()
        queue.suspend()
        let token = DispatchSource.timerToken(after: .zero, event: "held", on: queue, registry: registry) {
            calls.add()
        }
        token.remove()
        queue.resume()
        queue.sync {}
        #expect(calls.value == 0)
        #expect(registry.counts(of: "held")?.deliveries == 0)
    }

    @Test func removedTimerReleasesItsClosure() {
        weak var captured: Signal?
        do {
            let signal = Signal()
            captured = signal
            let token = DispatchSource.timerToken(
                after: .seconds(3600), event: "captured", registry: registry
            ) { signal.fire() }
            token.remove()
        }
        #expect(captured == nil)
    }

    @Test func aRunLoopTimerFiresAndIsCounted() async {
        let thread = RunLoopThread()
        let second = Signal()
        let calls = Counter()
        let token = await thread.perform { [registry] in
            Timer.scheduledToken(
                after: .milliseconds(1), every: .milliseconds(1), event: "loop", registry: registry
            ) {
                calls.add()
                if calls.value == 2 { second.fire() }
            }
        }
        await second.wait()
        #expect(registry.tokens(of: "loop").first?.kind == .timer)
        token.remove()
        // After this call, a firing that ran on the run loop's thread when the token was removed has ended.
        let count = await thread.perform { calls.value }
        let later = await thread.perform { calls.value }
        #expect(later == count)
        #expect(registry.counts(of: "loop")?.removed == 1)
        #expect((registry.counts(of: "loop")?.deliveries ?? 0) >= 2)
        thread.stop()
    }

    @Test(arguments: [.zero, .seconds(-1), .nanoseconds(Int64.min), .seconds(Int64.min)] as [Duration])
    func negativeIntervalCountsAsZero(_ interval: Duration) async {
        let thread = RunLoopThread()
        let second = Signal()
        let calls = Counter()
        let token = await thread.perform { [registry] in
            Timer.scheduledToken(after: interval, every: interval, event: "none", registry: registry) {
                calls.add()
                if calls.value == 2 { second.fire() }
            }
        }
        await second.wait()
        token.remove()
        thread.stop()
    }

    @Test(arguments: [.seconds(Int64.max), .nanoseconds(Int64.max), .seconds(1_000_000_000_000)] as [Duration])
    func hugeDelayDoesNotFireAtOnce(_ delay: Duration) async {
        let thread = RunLoopThread()
        let fired = Signal()
        let token = await thread.perform { [registry] in
            Timer.scheduledToken(after: delay, event: "endless", registry: registry) {}
        }
        // This timer fires after the time at which the other timer would have fired.
        let other = await thread.perform { [registry] in
            Timer.scheduledToken(after: .zero, event: "soon", registry: registry) {
                fired.fire()
            }
        }
        await fired.wait()
        #expect(token.isInForce)
        #expect(registry.counts(of: "endless")?.deliveries == 0)
        withExtendedLifetime(other) {}
        thread.stop()
    }

    @Test func aRunLoopTimerThatFiresOnceEndsItself() async {
        let thread = RunLoopThread()
        let fired = Signal()
        let token = await thread.perform { [registry] in
            Timer.scheduledToken(after: .zero, event: "loopOnce", registry: registry) {
                fired.fire()
            }
        }
        await fired.wait()
        await thread.perform {}
        #expect(!token.isInForce)
        #expect(registry.counts(of: "loopOnce")?.deliveries == 1)
        thread.stop()
    }
}
