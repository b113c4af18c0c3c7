import Dispatch
import LifetimeTracer
import Testing

/// Screens as programs write them: on the main actor, captured by closures.
@Suite @MainActor struct MainActorTests {
    @MainActor private final class TextScreen: TracedNode {
        let title: String
        var text = ""

        init(title: String, file: StaticString = #fileID, line: Int = #line) {
            self.title = title
            super.init(label: title, file: file, line: line)
        }
    }

    @MainActor private final class PlainScreen: TracedNode {
        var text = ""
    }

    @Test(arguments: [ObserverHub<String>.Delivery.immediate, .asynchronous(.main)])
    func mainActorScreenIsTracedAndReceivesHubValues(delivery: ObserverHub<String>.Delivery) async throws {
        let bench = Bench()
        let hub = ObserverHub<String>(event: "text", delivery: delivery)
        let (root, screen) = bench.make { (PlainScreen(), TextScreen(title: "notes")) }
        root.addChild(screen)
        hub.observe(owner: screen, onMainActor: { [weak screen] text in screen?.text = text })?.keep(for: screen)
        hub.send("hello")
        // The main queue is serial: when this block runs, all earlier calls have arrived.
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        #expect(screen.text == "hello")
        screen.removeFromParent()
        bench.pass(.seconds(2))
        #expect(
            bench.messages == [
                "overdue: MainActorTests.TextScreen not deallocated after being removed from its parent"
            ])
        #expect(bench.registry.snapshot().instances[1].label == "notes")
    }

    @Test func observerRemovedBeforeMainActorDeliveryIsNotCalled() async {
        let bench = Bench()
        let hub = ObserverHub<String>(event: "text")
        let screen = bench.make { PlainScreen() }
        let token = hub.observe(owner: screen, onMainActor: { [weak screen] text in screen?.text = text })
        // Sent from another queue, so that the call must come to the main actor, which is busy until this method
        // awaits.
        DispatchQueue.global().sync { hub.send("late") }
        token?.remove()
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        #expect(screen.text.isEmpty)
        #expect(bench.registry.summary().tokens.deliveries == 0)
    }

    @Test func registryScopeContinuesAcrossAwait() async {
        let bench = Bench()
        await bench.registry.withCurrent {
            let screen = PlainScreen()
            await Task.yield()
            let other = TextScreen(title: "later")
            withExtendedLifetime((screen, other)) {}
        }
        #expect(bench.registry.summary().born == 2 && bench.registry.summary().live == 0)
    }
}
