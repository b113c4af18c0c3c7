import KitTesting
import LifetimeTracer
import Testing

@testable import LifetimeTracerTestKit

@Suite(.repeatedOnRequest) struct GrowthTests {
    private let screen = Growth.Kind.instances(TypeName(module: "App", name: "Screen"))
    private let cache = Growth.Kind.instances(TypeName(module: "App", name: "Cache"))
    private let token = Growth.Kind.tokens(kind: .hub, event: "changed", ownerType: nil)

    /// A warm-up and further rounds, each with ten ids of instances and of tokens.
    private func growth(rounds: Int) -> Growth {
        (1...rounds + 1).reduce(into: Growth()) { $0.endRound(instance: UInt64($1 * 10), token: UInt64($1 * 10)) }
    }

    private func left(_ kind: Growth.Kind, _ numbers: UInt64...) -> [Growth.Member] {
        numbers.map { Growth.Member(kind: kind, number: $0) }
    }

    @Test func onlyKindsWithSurvivorsOfEveryRoundAreReported() {
        let growth = growth(rounds: 2)
        let all = left(cache, 2, 15, 16) + left(screen, 11, 21, 22) + left(token, 12, 30)
        #expect(growth.growing(all) == [screen, token])
        #expect(growth.survivors(all, of: screen) == [1, 2])
        #expect(growth.survivors(all, of: cache) == [2, 0])
    }

    @Test func oneRoundOfEightMayLeaveNothing() {
        let ofSeven = left(screen, 11, 21, 41, 51, 61, 71, 81)
        #expect(growth(rounds: 8).growing(ofSeven) == [screen])
        #expect(growth(rounds: 7).growing(left(screen, 11, 21, 41, 51, 61, 71)).isEmpty)
    }

    @Test func anEntryThatEachRoundReplacesIsNotReported() {
        #expect(growth(rounds: 5).growing(left(cache, 55)).isEmpty)
    }

    @Test func warmUpAloneShowsNoGrowth() {
        #expect(Growth().growing(left(screen, 1)).isEmpty)
        #expect(growth(rounds: 1).growing(left(screen, 9)).isEmpty)
    }
}
