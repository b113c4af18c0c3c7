import LifetimeTracer
import Testing

@testable import tracer_server

@MainActor
@Suite struct NavigationTests {
    private final class Page: Screen, @unchecked Sendable {
        var events: [String] = []

        override func didAppear() { events.append("appeared") }
        override func didLeave() { events.append("left") }
    }

    @Test func screensAppearAndLeave() {
        let navigation = NavigationStack()
        let page = Page()
        var popped: [Screen] = []
        navigation.didPop = { popped.append($0) }
        navigation.push(page)
        #expect(navigation.top === page)
        navigation.swipeBack()
        #expect(navigation.top == nil && page.events == ["appeared", "left"])
        #expect(popped.count == 1 && popped.first === page)
        navigation.pop()
        #expect(popped.count == 1, "an empty stack has nothing to pop")
    }

    @Test func poppedAndDismissedScreensBecomeOverdue() {
        let clock = ManualClock()
        let registry = LifetimeRegistry(clock: clock)
        registry.withCurrent {
            let navigation = NavigationStack()
            let (popped, dismissed) = (Page(), Page())
            navigation.push(popped)
            navigation.pop()
            let wrapper = NavigationStack()
            wrapper.push(dismissed)
            navigation.present(wrapper)
            navigation.dismiss()
            clock.advance(by: .seconds(3))
            registry.check()
            let deadlines = registry.snapshot().deadlines
            #expect(deadlines.first { $0.instance == popped.lifetimeID }?.reason == "removed from its parent")
            #expect(deadlines.first { $0.instance == dismissed.lifetimeID }?.reason == "dismissed")
            #expect(deadlines.allSatisfy { $0.isOverdue })
            withExtendedLifetime((popped, dismissed)) {}
        }
    }
}
