import Reporting
import Testing

@Suite struct SpreadTests {
    @Test func quantilesLieBetweenTheValues() {
        let spread = Spread(of: [5, 1, 4, 2, 3])
        #expect(spread == Spread(median: 3, low: 1.4, high: 4.6, samples: 5))
        #expect(Spread(of: [1, 2]).median == 1.5)
        #expect(Spread(of: [7]) == Spread(exactly: 7))
    }

    @Test func aRatioIsTakenRoundByRound() {
        // Both contenders become ten times slower in the last rounds. The ratio is 2 in every round.
        let ratio = Spread(ofRatios: [2, 20, 20], to: [1, 10, 10])
        #expect(ratio.median == 2)
        #expect(ratio.high == 2)
    }
}
