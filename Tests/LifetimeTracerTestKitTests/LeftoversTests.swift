import KitTesting
import LifetimeTracer
import LifetimeTracerTestKit
import Testing

@Suite(.repeatedOnRequest) struct LeftoversTests {
    private final class Screen: TracedObject {}

    private final class Pair: TracedObject {
        var other: Pair?
    }

    @Test func freedObjectIsNoLeftover() {
        let leftovers = Leftovers.of { _ = Screen() }
        #expect(leftovers.isEmpty)
        #expect(leftovers.description == "nothing left behind")
    }

    @Test func retainCycleIsReportedAsLeftover() throws {
        weak var first: Pair?
        let leftovers = Leftovers.of {
            let one = Pair(label: "one")
            let two = Pair(label: "two")
            one.other = two
            two.other = one
            first = one
        }
        #expect(leftovers.instances.map(\.label) == ["one", "two"])
        #expect(leftovers.description.contains("LeftoversTests.Pair #1 \"one\", from LifetimeTracerTestKitTests/"))
        try #require(first).other = nil
    }

    @Test func tokenIsReportedAsLeftover() async {
        var kept: ObserverToken?
        let leftovers = Leftovers.of {
            kept = ObserverToken(.hub, event: "changed", ownerType: Screen.self) {}
        }
        #expect(leftovers.tokens.count == 1)
        #expect(leftovers.description.hasPrefix("hub token for changed, from "))
        #expect(leftovers.description.hasSuffix(", owner LeftoversTests.Screen"))
        kept?.remove()
    }

    @Test func objectsOfChildTasksAreReported() async {
        let leftovers = await Leftovers.of {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { _ = Unmanaged.passRetained(Screen()) } }
            }
        }
        #expect(leftovers.instances.count == 4)
    }
}
