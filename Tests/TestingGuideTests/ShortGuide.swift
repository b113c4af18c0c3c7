import Dispatch
import KitTesting
import LifetimeTracer
import LifetimeTracerTestKit
import Testing

/// The guide's short examples.
@Suite(.repeatedOnRequest) struct ShortGuide {
    // guide: allowed leftovers
    @Test(.leakFree(budgets: [ImageCache.self: 1], exempting: [Theme.self], because: "both belong to the app"))
    func loginLeavesOnlyObjectsOfTheApp() { LoginFlow().start() }

    @Test(.leakFree(settling: .seconds(5)))
    func loginEndsWithinFiveSeconds() { LoginFlow().end() }

    @Test(.leakFree(.warning))
    func loginReportsLeaksAsWarnings() { LoginFlow().end() }
    // guide: end

    @Test func objectsOfAQueueBelongToTheBoundRegistry() {
        LifetimeRegistry().withCurrent {
            let (queue, cache) = (DispatchQueue(label: "thumbnails"), ThumbnailCache())
            // guide: queue
            let registry = LifetimeRegistry.current
            queue.async { registry.withCurrent { cache.fill() } }
            // guide: end
            queue.sync {}
            #expect(registry.snapshot().born == 1)
        }
    }

    @Test(.leakFree) func lifetimeOfAnObjectHoldsNothing() async {
        let navigation = Navigation()
        navigation.push(Screen())
        // guide: lifetime
        let lifetime = navigation.top?.lifetime
        navigation.pop()
        await expectReleased(lifetime, within: .seconds(1), because: "popped")
        // guide: end
        #expect(lifetime != nil)
    }

    @Test func registryFollowsTheTestClock() async throws {
        // guide: clock
        let clock = TestClock()
        let registry = LifetimeRegistry(clock: clock.tracer)
        try registry.withCurrent {
            let screen = Screen()
            try registry.expectDeallocation(of: screen, within: .seconds(2), because: "dismissed")
            clock.advance(by: .seconds(2))
            registry.check()
            #expect(registry.verdicts().map(\.kind) == [.overdue])
        }
        // guide: end
    }
}
