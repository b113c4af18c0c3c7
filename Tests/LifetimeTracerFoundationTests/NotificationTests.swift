import Foundation
import LifetimeTracer
import LifetimeTracerFoundation
import Testing

@Suite struct NotificationTests {
    private static let moved = NotificationDescriptor(name: Notification.Name("moved")) { notification in
        notification.userInfo?["by"] as? Int
    }

    private let registry = LifetimeRegistry()
    private let center = NotificationCenter()

    private func post(_ by: Any?, from sender: AnyObject? = nil) {
        center.post(name: Self.moved.name, object: sender, userInfo: by.map { ["by": $0] })
    }

    @Test func payloadsArriveTypedAndAreCounted() {
        let sum = Locked(0)
        let owner = registry.withCurrent { Owner() }
        let token = center.addObserver(with: Self.moved, owner: owner) { by in sum.withLock { $0 += by } }
        post(3)
        post(4)
        #expect(sum.withLock { $0 } == 7)
        let records = registry.tokens(of: "moved")
        #expect(records.count == 1)
        #expect(records.first?.kind == .notification)
        #expect(records.first?.owner?.id == owner.lifetimeID)
        #expect(records.first?.deliveries == 2)
        #expect(records.first?.site?.file.description.hasSuffix("NotificationTests.swift") == true)
        #expect(token.isInForce && token.event == Self.moved.name.rawValue)
    }

    @Test func missingOrMistypedPayloadIsNotDeliveredOrCounted() {
        let calls = Counter()
        let token = center.addObserver(with: Self.moved, registry: registry) { _ in calls.add() }
        post("far")
        post(nil)
        #expect(calls.value == 0)
        #expect(registry.counts(of: "moved")?.deliveries == 0)
        withExtendedLifetime(token) {}
    }

    @Test func descriptorWithoutPayloadAcceptsEveryPayload() {
        let calls = Counter()
        let any = NotificationDescriptor<Void>(name: Self.moved.name)
        let token = center.addObserver(with: any, registry: registry) { calls.add() }
        post("far")
        #expect(calls.value == 1)
        withExtendedLifetime(token) {}
    }

    @Test func observerIsRemovedWithItsToken() {
        let calls = Counter()
        var token: ObserverToken? = center.addObserver(with: Self.moved, registry: registry) { _ in calls.add() }
        post(1)
        #expect(token?.isInForce == true)
        token = nil
        post(1)
        #expect(calls.value == 1)
        #expect(registry.counts(of: "moved")?.inForce == 0)
        #expect(registry.counts(of: "moved")?.removed == 1)
    }

    @Test func removingTwiceCountsOnce() {
        let calls = Counter()
        let token = center.addObserver(with: Self.moved, registry: registry) { _ in calls.add() }
        token.remove()
        token.remove()
        post(1)
        #expect(calls.value == 0 && !token.isInForce)
        #expect(registry.counts(of: "moved")?.removed == 1)
    }

    @Test func aBagKeepsTheObserver() {
        let calls = Counter()
        let bag = RegistrationBag()
        center.addObserver(with: Self.moved, registry: registry) { _ in calls.add() }.store(in: bag)
        post(1)
        #expect(calls.value == 1)
        bag.removeAll()
        post(1)
        #expect(calls.value == 1)
        #expect(registry.counts(of: "moved")?.removed == 1)
    }

    @Test func observerReceivesOnlyFromTheGivenSender() {
        let calls = Counter()
        let sender = Owner()
        let token = center.addObserver(with: Self.moved, object: sender, registry: registry) { _ in calls.add() }
        post(1)
        post(1, from: Owner())
        post(1, from: sender)
        #expect(calls.value == 1)
        withExtendedLifetime(token) {}
    }

    @Test func notificationIsDeliveredOnTheGivenQueue() async {
        let queue = OperationQueue()
        let arrived = Signal()
        let isOnQueue = Locked(false)
        let token = center.addObserver(with: Self.moved, queue: queue, registry: registry) { _ in
            isOnQueue.withLock { $0 = OperationQueue.current === queue }
            arrived.fire()
        }
        post(1)
        await arrived.wait()
        #expect(isOnQueue.withLock { $0 })
        withExtendedLifetime(token) {}
    }

    /// Removing an observer frees its closure.
    ///
    /// A captured object then removes another observer in its deinit.
    @Test func observerRemovalCanRemoveAnotherObserver() {
        observeForeverHolding(center.addObserver(with: Self.moved, registry: registry) { _ in }).remove()
        #expect(registry.counts(of: "moved")?.registered == 2)
        #expect(registry.counts(of: "moved")?.removed == 2)
    }

    private func observeForeverHolding(_ other: ObserverToken) -> ObserverToken {
        let holder = TokenHolder(other)
        return center.addObserver(with: Self.moved, registry: registry) { _ in withExtendedLifetime(holder) {} }
    }

    @Test func tokenDoesNotRetainItsNotificationCenter() {
        weak var center: NotificationCenter?
        var token: ObserverToken?
        do {
            let own = NotificationCenter()
            center = own
            token = own.addObserver(with: Self.moved, registry: registry) { _ in }
        }
        #expect(center == nil)
        token?.remove()
        token = nil
        #expect(registry.counts(of: "moved")?.removed == 1)
    }

    @Test func ownersRegistryPrecedesTheCurrentRegistry() {
        let other = LifetimeRegistry()
        let owner = registry.withCurrent { Owner() }
        other.withCurrent {
            let owned = center.addObserver(with: Self.moved, owner: owner) { _ in }
            let free = center.addObserver(with: Self.moved) { _ in }
            #expect(registry.tokens(of: "moved").count == 1)
            #expect(other.tokens(of: "moved").count == 1)
            withExtendedLifetime((owned, free)) {}
        }
    }
}

private final class TokenHolder: Sendable {
    private let token: ObserverToken

    init(_ token: ObserverToken) {
        self.token = token
    }
}
