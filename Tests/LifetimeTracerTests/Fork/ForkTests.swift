import ForkTesting
import LifetimeTracer
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A child of `fork` can trace, regardless of the work of the threads that it does not have.
///
/// Each test runs in its own process, because a child has only the thread that forked.
@Suite struct ForkTests {
    @Test(.enabled(if: Sanitizer.allowsManyChildren)) func forkChildrenTraceWhileOtherThreadsChurn() async {
        await #expect(processExitsWith: .success) {
            // A fork that never returns is a failure, too.
            endThisProcess(after: 300)
            let registry = LifetimeRegistry()
            registry.observeVerdicts(.closure { _ in }).keep()
            registry.startHistory()
            // The runtime initializes metadata at first use, under locks of its own. This happens before the first
            // fork.
            #expect(Churn.traces(registry) == 0)
            let crowd = Crowd(8) { number, stops in Churn.run(registry, number, until: stops) }
            for number in 0..<200 {
                let end = ChildProcess.run { Churn.traces(registry) }
                #expect(end == .code(0), "child \(number)")
                // A child that hung has taken its time, and the other children would hang, too.
                guard end == .code(0) else { break }
            }
            crowd.end()
            // The parent is unaffected.
            #expect(Churn.traces(registry) == 0)
            registry.check()
            let snapshot = registry.snapshot()
            #expect(Disagreement.of(snapshot) == nil)
            #expect(snapshot.live == 0)
        }
    }

    @Test(.enabled(if: Sanitizer.allowsManyChildren)) func childrenForkedFromSeveralThreadsAtOnceTrace() async {
        await #expect(processExitsWith: .success) {
            endThisProcess(after: 300)
            let registry = LifetimeRegistry()
            #expect(Churn.traces(registry) == 0)
            let ends = Locked<[ChildProcess.End]>([])
            let churn = Crowd(2) { number, stops in Churn.run(registry, number, until: stops) }
            let forking = Crowd(4) { _, _ in
                for _ in 0..<20 {
                    let end = ChildProcess.run { Churn.traces(registry) }
                    ends.withLock { $0.append(end) }
                }
            }
            forking.end()
            churn.end()
            #expect(ends.withLock { $0 } == Array(repeating: .code(0), count: 80))
        }
    }

    @Test func parentTracesAfterChildrenExitImmediately() async {
        await #expect(processExitsWith: .success) {
            endThisProcess(after: 300)
            let registry = LifetimeRegistry()
            registry.startHistory()
            let churn = Crowd(4) { number, stops in Churn.run(registry, number, until: stops) }
            let forking = Crowd(4) { _, _ in
                // These children end at once, like children that execute another program.
                for _ in 0..<50 { #expect(ChildProcess.run { 0 } == .code(0)) }
            }
            forking.end()
            churn.end()
            #expect(Churn.traces(registry) == 0)
            let snapshot = registry.snapshot()
            #expect(Disagreement.of(snapshot) == nil)
            #expect(snapshot.live == 0)
        }
    }

    @Test(.enabled(if: Sanitizer.allowsChildren)) func grandchildrenTrace() async {
        await #expect(processExitsWith: .success) {
            endThisProcess(after: 300)
            let registry = LifetimeRegistry()
            #expect(Churn.traces(registry) == 0)
            let crowd = Crowd(4) { number, stops in Churn.run(registry, number, until: stops) }
            let end = ChildProcess.run {
                guard Churn.traces(registry) == 0 else { return 1 }
                let grandchild = ChildProcess.run { Churn.traces(registry) }
                return grandchild == .code(0) ? 0 : 2
            }
            #expect(end == .code(0))
            crowd.end()
        }
    }

    @Test(.enabled(if: Sanitizer.allowsChildren)) func verdictsAreReachedAndDeliveredInTheChild() async {
        await #expect(processExitsWith: .success) {
            endThisProcess(after: 300)
            let bench = Bench()
            let told = Locked(0)
            // At the fork, the registry's thread is delivering a verdict. The child does not have this thread.
            let (isInside, mayLeave) = (Event(), Event())
            bench.registry.observeVerdicts(
                .closure { _ in
                    told.withLock { $0 += 1 }
                    isInside.occur()
                    mayLeave.wait()
                }
            ).keep()
            let first = bench.make { Plain() }
            try bench.registry.expectDeallocation(of: first, within: .seconds(1), because: "before")
            bench.clock.advance(by: .seconds(2))
            let crowd = Crowd(1) { _, _ in bench.registry.check() }
            isInside.wait()
            let end = ChildProcess.run {
                mayLeave.occur()
                let second = bench.make { Plain() }
                guard (try? bench.registry.expectDeallocation(of: second, within: .seconds(1), because: "x")) != nil
                else { return 1 }
                bench.pass(.seconds(2))
                guard bench.registry.verdicts().count == 2 else { return 2 }
                guard told.withLock({ $0 }) == 2 else { return 3 }
                return withExtendedLifetime((first, second)) { 0 }
            }
            #expect(end == .code(0))
            mayLeave.occur()
            crowd.end()
            #expect(told.withLock { $0 } == 1)
            withExtendedLifetime(first) {}
        }
    }

    @Test(.enabled(if: Sanitizer.allowsChildren)) func deadlineOfTheParentFallsDueInTheChild() async {
        await #expect(processExitsWith: .success) {
            endThisProcess(after: 300)
            var end = ChildProcess.End.code(3)
            // On a busy machine, the parent may reach the verdict before the fork. Then the test is repeated with a
            // later deadline.
            var milliseconds = 200
            while end == .code(3), milliseconds < 100_000 {
                let registry = LifetimeRegistry()
                let plain = registry.withCurrent { Plain() }
                try registry.expectDeallocation(of: plain, within: .milliseconds(milliseconds), because: "soon")
                end = ChildProcess.run {
                    // Only a thread of the child can signal this event.
                    let isTold = Event()
                    registry.observeVerdicts(
                        .closure { verdict in if verdict.kind == .overdue { isTold.occur() } }
                    ).keep()
                    guard registry.verdicts().isEmpty else { return 3 }
                    let other = registry.withCurrent { Plain() }
                    guard (try? registry.expectDeallocation(of: other, within: .seconds(60), because: "late")) != nil
                    else { return 1 }
                    isTold.wait()
                    return withExtendedLifetime(other) { registry.summary().overdue == 1 ? 0 : 2 }
                }
                withExtendedLifetime(plain) {}
                milliseconds *= 4
            }
            #expect(end == .code(0))
        }
    }

    @Test(.enabled(if: Sanitizer.allowsChildren)) func childForkedInAVerdictObserverTraces() async {
        await #expect(processExitsWith: .success) {
            endThisProcess(after: 300)
            let bench = Bench()
            // Swift's runtime locks its caches while it makes the metadata of a type. If this thread held such a lock
            // during the fork, the child would wait forever, so all types that the child uses exist beforehand.
            #expect(Churn.traces(bench.registry) == 0)
            let ends = Locked<[ChildProcess.End]>([])
            bench.registry.observeVerdicts(
                .closure { _ in
                    // This code forks on the registry's own thread, which becomes the child's only thread.
                    let end = ChildProcess.run { Churn.traces(bench.registry) }
                    ends.withLock { $0.append(end) }
                }
            ).keep()
            let plain = bench.make { Plain() }
            try bench.registry.expectDeallocation(of: plain, within: .seconds(1), because: "x")
            bench.pass(.seconds(2))
            #expect(ends.withLock { $0 } == [.code(0)])
            withExtendedLifetime(plain) {}
        }
    }

    @Test(.enabled(if: Sanitizer.allowsChildren)) func childForkedInsideALockOfTheForkingThreadTraces() async {
        await #expect(processExitsWith: .success) {
            endThisProcess(after: 300)
            let lock = Locked(Int32(1))
            let registry = LifetimeRegistry()
            let end = lock.withLock { (value: inout Int32) -> ChildProcess.End in
                value = 2
                return ChildProcess.run { Churn.traces(registry) }
            }
            #expect(end == .code(0))
            #expect(ChildProcess.run { lock.withLock { $0 } } == .code(2))
        }
    }

    @Test(.enabled(if: Sanitizer.allowsChildren)) func childForkedWhileAnotherThreadHoldsALockAborts() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            endThisProcess(after: 300)
            let (isInside, mayLeave) = (Event(), Event())
            let lock = Locked(0)
            let crowd = Crowd(1) { _, _ in
                lock.withLock { (_: inout Int) -> Void in
                    isInside.occur()
                    mayLeave.wait()
                }
            }
            isInside.wait()
            // This child takes no lock, like a child that executes another program.
            #expect(ChildProcess.run { 7 } == .code(7))
            let end = ChildProcess.run {
                // A child of that child cannot take the lock either.
                guard ChildProcess.run({ Locked(Int32(5)).withLock { $0 } }) == .signal(SIGABRT) else { return 1 }
                return Locked(Int32(5)).withLock { $0 }
            }
            #expect(end == .signal(SIGABRT))
            mayLeave.occur()
            crowd.end()
            // The parent is unaffected.
            #expect(lock.withLock { $0 } == 0)
            #expect(ChildProcess.run { Locked(Int32(5)).withLock { $0 } } == .code(5))
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.contains("Call exec in the child"))
    }
}
