import Foundation
import LifetimeTracer
import LifetimeTracerFoundation
import Testing

@Suite struct TracedNotificationCenterTests {
    private static let name = Notification.Name("rang")

    private let registry = LifetimeRegistry()
    private let center = TracedNotificationCenter()

    @Test func untypedRegistrationsAreRecordedUntilTheyAreRemoved() {
        let calls = Counter()
        let observer = registry.withCurrent {
            center.addObserver(forName: Self.name, object: nil, queue: nil) { _ in calls.add() }
        }
        center.post(name: Self.name, object: nil)
        center.post(name: Self.name, object: nil)
        #expect(registry.tokens(of: "rang").map(\.deliveries) == [2])
        #expect(registry.tokens(of: "rang").first?.site == nil)
        center.removeObserver(observer)
        center.post(name: Self.name, object: nil)
        #expect(calls.value == 2)
        #expect(registry.counts(of: "rang")?.inForce == 0)
        #expect(registry.counts(of: "rang")?.removed == 1)
    }

    @Test func unretainedObserverStaysInForce() {
        let calls = Counter()
        registry.withCurrent {
            _ = center.addObserver(forName: Self.name, object: nil, queue: nil) { _ in calls.add() }
        }
        center.post(name: Self.name, object: nil)
        #expect(calls.value == 1)
        #expect(registry.counts(of: "rang")?.inForce == 1)
    }

    @Test func removalIsRecordedOnlyIfNameAndSenderMatch() {
        let sender = Owner()
        let observer = registry.withCurrent {
            center.addObserver(forName: Self.name, object: sender, queue: nil) { _ in }
        }
        center.removeObserver(observer, name: Notification.Name("other"), object: nil)
        #expect(registry.counts(of: "rang")?.inForce == 1)
        center.removeObserver(observer, name: Self.name, object: sender)
        #expect(registry.counts(of: "rang")?.inForce == 0)
        center.removeObserver(observer)
        #expect(registry.counts(of: "rang")?.removed == 1)
    }

    @Test func removalThroughTheBaseClassIsRecorded() {
        let observer = registry.withCurrent {
            center.addObserver(forName: Self.name, object: nil, queue: nil) { _ in }
        }
        (center as NotificationCenter).removeObserver(observer)
        #expect(registry.counts(of: "rang")?.removed == 1)
    }

    @Test func removalOfUnknownObserverIsHarmless() {
        let observer = registry.withCurrent {
            center.addObserver(forName: nil, object: nil, queue: nil) { _ in }
        }
        center.removeObserver(Owner())
        center.removeObserver("nobody")
        let foreign = NotificationCenter().addObserver(forName: Self.name, object: nil, queue: nil) { _ in }
        center.removeObserver(foreign)
        #expect(registry.counts(of: "(any notification)")?.inForce == 1)
        center.removeObserver(observer)
        #expect(registry.counts(of: "(any notification)")?.inForce == 0)
    }

    @Test func typedRegistrationsAreRecordedOnce() {
        let descriptor = NotificationDescriptor<Void>(name: Self.name)
        let token = registry.withCurrent { center.addObserver(with: descriptor) {} }
        center.post(name: Self.name, object: nil)
        #expect(registry.counts(of: "rang")?.registered == 1)
        #expect(registry.counts(of: "rang")?.deliveries == 1)
        token.remove()
        #expect(registry.counts(of: "rang")?.removed == 1)
    }

    @Test func observersEndWithTheirNotificationCenter() {
        registry.withCurrent {
            let own = TracedNotificationCenter()
            _ = own.addObserver(forName: Self.name, object: nil, queue: nil) { _ in }
            #expect(registry.counts(of: "rang")?.inForce == 1)
        }
        #expect(registry.counts(of: "rang")?.inForce == 0)
    }
}
