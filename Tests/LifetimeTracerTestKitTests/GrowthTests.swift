import LifetimeTracer
import Testing

@testable import LifetimeTracerTestKit

@Suite(.repeatedOnRequest) struct GrowthTests {
    private let screen = Growth.Kind.instances(TypeName(module: "App", name: "Screen"))
    private let cache = Growth.Kind.instances(TypeName(module: "App", name: "Cache"))
    private let token = Growth.Kind.tokens(kind: .hub, event: "changed", ownerType: nil)

    private func growth(_ rounds: [Growth.Kind: Int]...) -> Growth {
        rounds.reduce(into: Growth()) { $0.add($1) }
    }

    @Test func onlyKindsThatGrowInEveryRoundAreReported() {
        let growth = growth([cache: 1], [cache: 2, screen: 1, token: 1], [cache: 2, screen: 3, token: 2])
        #expect(growth.growing == [screen, token])
        #expect(growth.course(of: screen) == [0, 1, 3])
    }

    @Test func kindWithOneRoundWithoutGrowthIsNotReported() {
        #expect(growth([screen: 1], [screen: 2], [screen: 2], [screen: 3]).growing.isEmpty)
        #expect(growth([screen: 3], [screen: 2]).growing.isEmpty)
    }

    @Test func singleCountShowsNoGrowth() {
        #expect(Growth().growing.isEmpty)
        #expect(growth([screen: 1]).growing.isEmpty)
    }

    @Test func growthUndoneAfterTheRoundsIsNotReported() {
        let growth = growth([screen: 1], [screen: 2], [screen: 3])
        #expect(growth.isGrown(screen, now: 3))
        #expect(!growth.isGrown(screen, now: 2))
    }
}
