import Dispatch
import LifetimeTracer
import Testing

@Suite struct HubTests {
    private let bench = Bench()
    private let received = Locked<[Int]>([])

    private func record(_ number: Int) -> @Sendable (Int) -> Void {
        { [received] value in received.withLock { $0.append(10 * value + number) } }
    }

    @Test func appendPolicyDeliversToAllObservers() {
        let hub = ObserverHub<Int>(event: "changed")
        let owners = bench.make { [Plain(), Plain()] }
        for (number, owner) in owners.enumerated() { hub.observe(owner: owner, record(number))?.keep(for: owner) }
        hub.send(7)
        #expect(received.withLock { $0 } == [70, 71])
        #expect(bench.registry.summary().tokens.deliveries == 2)
        // An optimised build would release the owners after their last use.
        withExtendedLifetime(owners) {}
    }

    @Test func keepFirstPolicyRefusesAndCountsTheSecondObserver() throws {
        let hub = ObserverHub<Int>(event: "changed", policy: .keepFirst)
        let owners = bench.make { [Plain(), Plain()] }
        let first = try #require(hub.observe(owner: owners[0], record(0)))
        #expect(hub.observe(owner: owners[1], record(1)) == nil)
        hub.send(7)
        #expect(received.withLock { $0 } == [70])
        let group = try #require(bench.registry.snapshot().tokenGroups.first)
        #expect(group.inForce == 1 && group.refused == 1)
        withExtendedLifetime((owners, first)) {}
    }

    @Test func replaceByOwnerPolicyReplacesOwnersOfTheSameType() {
        let hub = ObserverHub<Int>(event: "changed", policy: .replaceByOwner)
        let (plain, other, screen) = bench.make { (Plain(), Plain(), Screen()) }
        hub.observe(owner: plain, record(0))?.keep(for: plain)
        hub.observe(owner: screen, record(1))?.keep(for: screen)
        hub.observe(owner: other, record(2))?.keep(for: other)
        hub.send(7)
        #expect(received.withLock { $0 } == [71, 72])
        #expect(hub.count == 2)
        #expect(bench.registry.summary().tokens.removed == 1)
        withExtendedLifetime((plain, other, screen)) {}
    }

    @Test func registrationKeptForItsOwnerEndsWithIt() {
        let hub = ObserverHub<Int>(event: "changed")
        var owner: Plain? = bench.make { Plain() }
        owner.map { hub.observe(owner: $0, record(0))?.keep(for: $0) }
        #expect(hub.count == 1)
        owner = nil
        hub.send(7)
        #expect(hub.count == 0 && received.withLock { $0 }.isEmpty)
        bench.pass(.seconds(1))
        #expect(bench.messages.isEmpty)
        #expect(bench.registry.summary().tokens.inForce == 0)
    }

    @Test func keptRegistrationIsOrphanedWhenItsOwnerDies() {
        let hub = ObserverHub<Int>(event: "changed")
        var owner: Plain? = bench.make { Plain() }
        owner.map { hub.observe(owner: $0, record(0))?.keep() }
        owner = nil
        bench.pass(.seconds(1))
        #expect(hub.count == 1)
        #expect(bench.registry.summary().tokens.orphaned == 1)
        hub.removeAll()
        #expect(hub.count == 0 && bench.registry.summary().tokens.inForce == 0)
    }

    enum Keeping: CaseIterable {
        case reference, always, forTheOwner
    }

    @Test(arguments: Keeping.allCases)
    func deallocatedHubFreesClosuresAndEndsTokens(keeping: Keeping) {
        let captured = bench.make { Capturing() }
        weak var seen: Capturing?
        var token: ObserverToken?
        let owner = bench.make { Plain() }
        do {
            let hub = ObserverHub<Int>(event: "changed")
            let inner = bench.make { Capturing() }
            seen = inner
            token = hub.observe(owner: owner) { _ in inner.touch() }
            switch keeping {
            case .reference: break
            case .always: token?.keep()
            case .forTheOwner: token?.keep(for: owner)
            }
            #expect(seen != nil)
        }
        #expect(seen == nil)
        #expect(bench.registry.summary().tokens.inForce == 0 && token?.isInForce == false)
        withExtendedLifetime((owner, captured)) {}
    }

    @Test func concurrentReplacementLeavesNoStrayToken() {
        let hub = ObserverHub<Int>(event: "changed", policy: .replaceByOwner)
        let registry = bench.registry
        DispatchQueue.concurrentPerform(iterations: 8) { worker in
            registry.withCurrent {
                for round in 0..<300 {
                    let owner = Plain()
                    hub.observe(owner: owner) { _ in }?.keep()
                    if worker == 0, round % 3 == 0 { hub.removeAll() }
                }
            }
        }
        #expect(registry.summary().tokens.inForce == hub.count)
        hub.removeAll()
        #expect(registry.summary().tokens.inForce == 0)
    }

    @Test func registrationEndsWithItsToken() {
        let hub = ObserverHub<Int>(event: "changed")
        let owner = bench.make { Plain() }
        var token = hub.observe(owner: owner, record(0))
        #expect(token?.isInForce == true && hub.count == 1)
        token = nil
        #expect(hub.count == 0 && bench.registry.summary().tokens.inForce == 0)
    }

    @Test func removedTokenEndsItsRegistration() {
        let hub = ObserverHub<Int>(event: "changed")
        let owner = bench.make { Plain() }
        let token = hub.observe(owner: owner, record(0))
        token?.remove()
        hub.send(7)
        #expect(received.withLock { $0 }.isEmpty && hub.count == 0)
    }

    @Test func asynchronousDeliveryIsInOrderOnItsQueue() {
        let queue = DispatchQueue(label: "delivery")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let hub = ObserverHub<Int>(event: "changed", delivery: .asynchronous(queue))
        let owner = bench.make { Plain() }
        let onQueue = Locked(true)
        hub.observe(owner: owner) { [received] value in
            onQueue.withLock { $0 = $0 && DispatchQueue.getSpecific(key: key) == true }
            received.withLock { $0.append(value) }
        }?.keep(for: owner)
        queue.suspend()
        for value in 0..<100 { hub.send(value) }
        #expect(received.withLock { $0 }.isEmpty)
        queue.resume()
        queue.sync {}
        #expect(received.withLock { $0 } == Array(0..<100))
        #expect(onQueue.withLock { $0 })
        withExtendedLifetime(owner) {}
    }

    @Test func observerRemovedAfterAsynchronousSendGetsNoValue() {
        let queue = DispatchQueue(label: "delivery")
        let hub = ObserverHub<Int>(event: "changed", delivery: .asynchronous(queue))
        let owner = bench.make { Plain() }
        let token = hub.observe(owner: owner, record(0))
        queue.suspend()
        hub.send(7)
        token?.remove()
        queue.resume()
        queue.sync {}
        #expect(received.withLock { $0 }.isEmpty)
    }

    @Test func closureCanRemoveObserversDuringDelivery() {
        let hub = ObserverHub<Int>(event: "changed")
        let owner = bench.make { Plain() }
        let token = Locked<ObserverToken?>(nil)
        let made = hub.observe(owner: owner) { [weak hub] _ in
            token.withLock { $0 }?.remove()
            hub?.removeAll()
        }
        token.withLock { $0 = made }
        hub.send(1)
        #expect(hub.count == 0)
        token.withLock { $0 = nil }
    }

    @Test func closureCapturingItsOwnerMakesTheOwnerOverdue() throws {
        let hub = ObserverHub<Int>(event: "changed")
        var owner: Capturing? = bench.make { Capturing() }
        let id = try #require(owner).lifetimeID
        owner.map { strong in hub.observe(owner: strong) { _ in strong.touch() }?.keep(for: strong) }
        try bench.registry.expectDeallocation(of: #require(owner), within: .seconds(1), because: "closed")
        owner = nil
        bench.pass(.seconds(2))
        #expect(bench.registry.verdicts().map(\.instance) == [id])
        hub.removeAll()
        #expect(bench.registry.summary().live == 0)
    }

    /// `@unchecked Sendable` is safe because the class has no mutable state.
    private final class Capturing: TracedObject, @unchecked Sendable {
        func touch() {}
    }
}
