import LifetimeTracer
import Testing

#if canImport(Glibc)
import Glibc
#endif

@Suite struct VerdictObserverTests {
    private let bench = Bench()
    private let received = Locked<[String]>([])

    private func overdue(_ plain: Plain, because reason: String = "closed") throws {
        try bench.registry.expectDeallocation(of: plain, within: .zero, because: reason)
    }

    @Test func observersAreCalledInOrderUntilCancelled() throws {
        let plain = bench.make { Plain() }
        let first = bench.registry.observeVerdicts(
            .closure { [received] verdict in
                received.withLock { $0.append("first \(verdict.id)") }
            })
        bench.registry.observeVerdicts(
            .closure { [received] verdict in
                received.withLock { $0.append("second \(verdict.id)") }
            }
        ).keep()
        try overdue(plain)
        bench.registry.check()
        first.remove()
        try overdue(plain)
        bench.registry.check()
        #expect(received.withLock { $0 } == ["first 1", "second 1", "second 2"])
    }

    @Test func observersRunOnTheTracersThreadOutsideAllLocks() throws {
        let plain = bench.make { Plain() }
        let threads = Locked<[UInt]>([])
        // Kept only for the test: the closure holds the registry, which holds the closure.
        let observer = bench.registry.observeVerdicts(
            .closure { [bench, received] verdict in
                threads.withLock { $0.append(UInt(pthread_self())) }
                // Each of these calls would deadlock if a lock were held.
                bench.make { _ = Plain() }
                _ = bench.registry.snapshot()
                _ = bench.registry.summary()
                _ = bench.registry.verdicts()
                bench.registry.observeVerdicts(.closure { _ in }).remove()
                let inner = bench.make { ObserverToken(.hub, event: "inner") {} }
                inner.remove()
                received.withLock { $0.append(verdict.message) }
            }
        )
        defer { observer.remove() }
        try overdue(plain)
        bench.registry.check()
        bench.pass(.seconds(1))
        #expect(received.withLock { $0.count } == 1)
        #expect(threads.withLock { $0 } != [UInt(pthread_self())])
    }

    @Test func observerCanCallCheckDuringDelivery() throws {
        let plain = bench.make { Plain() }
        let id = plain.lifetimeID
        // Kept only for the test: the closure holds the registry, which holds the closure.
        let observer = bench.registry.observeVerdicts(
            .closure { [bench, received] verdict in
                let isFirst = received.withLock { received in
                    received.append(verdict.reason)
                    return received.count == 1
                }
                guard isFirst else { return }
                _ = try? bench.registry.expectDeallocation(
                    ofInstance: id, within: .zero, because: "again")
                bench.registry.check()
            }
        )
        defer { observer.remove() }
        try overdue(plain)
        bench.registry.check()
        #expect(received.withLock { $0 } == ["closed", "again"])
    }

    @Test func verdictReachedDuringDeliveryIsNotLost() throws {
        let plain = bench.make { Plain() }
        bench.registry.observeVerdicts(
            .closure { [received] verdict in
                received.withLock { $0.append(verdict.reason) }
            }
        ).keep()
        for number in 0..<200 {
            try overdue(plain, because: "\(number)")
            if number % 7 == 0 { bench.registry.check() }
        }
        bench.registry.check()
        #expect(received.withLock { $0 } == (0..<200).map { "\($0)" })
    }

    @Test func verdictLogIsBoundedAndCountsDroppedVerdicts() throws {
        let bench = Bench { $0.verdictLimit = 3 }
        let plain = bench.make { Plain() }
        for number in 0..<5 {
            try bench.registry.expectDeallocation(of: plain, within: .zero, because: "\(number)")
        }
        bench.registry.check()
        #expect(bench.registry.verdicts().map(\.reason) == ["2", "3", "4"])
        #expect(bench.registry.verdicts(after: 4).map(\.reason) == ["4"])
        #expect(bench.registry.summary().drops.first { $0.buffer == "verdicts" }?.dropped == 2)
    }

    @Test func observationEndsWithItsLastReferenceUnlessItIsKept() throws {
        let plain = bench.make { Plain() }
        var held: VerdictObservation? = bench.registry.observeVerdicts(
            .closure { [received] _ in received.withLock { $0.append("held") } })
        bench.registry.observeVerdicts(.closure { [received] _ in received.withLock { $0.append("kept") } }).keep()
        try overdue(plain)
        bench.registry.check()
        #expect(held?.isInForce == true && received.withLock { $0 } == ["held", "kept"])
        held = nil
        try overdue(plain)
        bench.registry.check()
        #expect(received.withLock { $0 } == ["held", "kept", "kept"])
    }

    @Test(.timeLimit(.minutes(20))) func cancellationFreesTheClosureOutsideTheLock() throws {
        var plain: Kept? = bench.make { Kept() }
        try bench.registry.expectDeallocation(of: #require(plain), within: .zero, because: "closed")
        let observation = bench.registry.observeVerdicts(.closure { [plain] _ in withExtendedLifetime(plain) {} })
        plain = nil
        bench.pass(.seconds(1))
        // The captured object's deinit files a verdict, which would deadlock under the lock of the verdicts.
        observation.remove()
        bench.registry.check()
        #expect(bench.registry.verdicts().map(\.kind) == [.overdue, .late])
    }

    /// `@unchecked Sendable` is safe because the class has no state.
    private final class Kept: TracedObject, @unchecked Sendable {}

    @Test func standardErrorGetsOneLinePerVerdict() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let bench = Bench()
            let plain = bench.make { Plain(label: "main\nscreen\u{1B}[31m") }
            let observation = bench.registry.observeVerdicts(.standardError)
            _ = try bench.registry.expectDeallocation(of: plain, within: .zero, because: "closed")
            bench.registry.check()
            // Cancelled before the instance dies, because its death would be another verdict.
            observation.remove()
            withExtendedLifetime(plain) {}
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        let start =
            "LifetimeTracer: overdue: Plain not deallocated: closed [#1 \"main\u{FFFD}screen\u{FFFD}[31m\"], "
            + "created at LifetimeTracerTests/VerdictObserverTests.swift:"
        #expect(text.hasPrefix(start) && text.hasSuffix("\n") && text.count { $0 == "\n" } == 1, "\(text)")
    }

    @Test func assertionFailureObserverEndsADebugBuild() async {
        #if DEBUG
        await #expect(processExitsWith: .failure) {
            let bench = Bench()
            let plain = bench.make { Plain() }
            bench.registry.observeVerdicts(.assertionFailure()).keep()
            _ = try bench.registry.expectDeallocation(of: plain, within: .zero, because: "closed")
            bench.registry.check()
        }
        #endif
        // A verdict of another kind does not end the process.
        await #expect(processExitsWith: .success) {
            let bench = Bench()
            let plain = bench.make { Plain() }
            bench.registry.observeVerdicts(.assertionFailure(on: [.orphanedToken])).keep()
            _ = try bench.registry.expectDeallocation(of: plain, within: .zero, because: "closed")
            bench.registry.check()
        }
    }
}
