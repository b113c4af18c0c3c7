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

    @Test func aScreenHearsOnTheMainActor() async {
        let screen = registry.withCurrent { Screen() }
        let token = center.addObserver(
            with: Self.shown, owner: .instance(screen), onMainActor: { [weak screen] in screen?.height = $0 })
        center.post(name: Self.shown.name, object: 3)
        #expect(screen.height == 3, "on the main actor, before post returns")

        let center = center
        await Task.detached { center.post(name: Self.shown.name, object: 4) }.value
        // The main queue is serial: what was sent before this has arrived when it runs.
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        #expect(screen.height == 4)
        #expect(registry.tokens(of: "shown").first?.deliveries == 2)
        withExtendedLifetime(token) {}
    }

    @Test func aClosureThatCapturesWeaklyLetsTheScreenGo() {
        var screen: Screen? = registry.withCurrent { Screen() }
        let token = screen.map { screen in
            center.addObserver(
                with: Self.shown, owner: .instance(screen), onMainActor: { [weak screen] in screen?.height = $0 })
        }
        screen = nil
        #expect(registry.summary().live == 0)
        withExtendedLifetime(token) {}
    }
}
