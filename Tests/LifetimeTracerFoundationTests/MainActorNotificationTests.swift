import Dispatch
import Foundation
import LifetimeTracer
import LifetimeTracerFoundation
import Testing

/// Screens as programs write them: on the main actor, observed by closures that capture them.
@Suite @MainActor struct MainActorNotificationTests {
    @MainActor private final class Screen: TracedObject {
        var height = 0
    }

    private nonisolated static let shown = NotificationDescriptor(name: Notification.Name("shown")) {
        $0.object as? Int
    }

    private let registry = LifetimeRegistry()
    private let center = NotificationCenter()

    @Test func observerIsCalledOnTheMainActor() async {
        let screen = registry.withCurrent { Screen() }
        let token = center.addObserver(
            with: Self.shown, owner: screen, onMainActor: { [weak screen] in screen?.height = $0 })
        center.post(name: Self.shown.name, object: 3)
        #expect(screen.height == 3, "on the main actor, before post returns")

        let center = center
        await Task.detached { center.post(name: Self.shown.name, object: 4) }.value
        await waitForMainQueue()
        #expect(screen.height == 4)
        #expect(registry.tokens(of: "shown").first?.deliveries == 2)
        withExtendedLifetime(token) {}
    }

    @Test func deliveryIsCountedWhenTheObserverIsCalled() async {
        let screen = registry.withCurrent { Screen() }
        let token = center.addObserver(
            with: Self.shown, owner: screen, onMainActor: { [weak screen] in screen?.height = $0 })
        postOnAnotherThread(5)
        #expect(registry.counts(of: "shown")?.deliveries == 0)
        await waitForMainQueue()
        #expect(registry.counts(of: "shown")?.deliveries == 1)
        #expect(screen.height == 5)
        withExtendedLifetime(token) {}
    }

    @Test(arguments: [true, false]) func removalBeforeDeliveryPreventsTheCall(isExplicit: Bool) async {
        let screen = registry.withCurrent { Screen() }
        var token: ObserverToken? = center.addObserver(
            with: Self.shown, owner: screen, onMainActor: { [weak screen] in screen?.height = $0 })
        postOnAnotherThread(5)
        if isExplicit { token?.remove() }
        token = nil
        #expect(registry.counts(of: "shown")?.removed == 1)
        await waitForMainQueue()
        #expect(screen.height == 0)
        #expect(registry.counts(of: "shown")?.deliveries == 0)
    }

    /// Posts on another thread and returns after `post`.
    ///
    /// Nothing else runs on the main actor meanwhile.
    private func postOnAnotherThread(_ height: Int) {
        let group = DispatchGroup()
        let center = center
        DispatchQueue.global().async(group: group) { center.post(name: Self.shown.name, object: height) }
        group.wait()
    }

    /// Returns after all current blocks of the main queue, which is serial, have run.
    private func waitForMainQueue() async {
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    }

    @Test func weakCaptureLetsTheScreenBeFreed() {
        var screen: Screen? = registry.withCurrent { Screen() }
        let token = screen.map { screen in
            center.addObserver(
                with: Self.shown, owner: screen, onMainActor: { [weak screen] in screen?.height = $0 })
        }
        screen = nil
        #expect(registry.summary().live == 0)
        withExtendedLifetime(token) {}
    }
}
