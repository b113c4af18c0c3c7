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
        // Both contenders become slower in the last rounds. The ratio of the medians is 1, that of the rounds mostly 2.
        let ratio = Spread(ofRatios: [2, 10, 200], to: [1, 10, 100])
        #expect(ratio.median == 2)
        #expect(ratio.high == 2)
    }
}
