/// The middle of a sample and how far it spreads.
public struct Spread: Sendable, Equatable {
    /// Half of the values are below it.
    public let median: Double
    /// A tenth of the values are below it.
    public let low: Double
    /// A tenth of the values are above it.
    public let high: Double
    /// How many values there were.
    public let samples: Int

    /// Creates a spread of known values, as they were written down.
    public init(median: Double, low: Double, high: Double, samples: Int) {
        self.median = median
        self.low = low
        self.high = high
        self.samples = samples
    }

    /// A figure that is exact, or that was taken once.
    public init(exactly value: Double) {
        self.init(median: value, low: value, high: value, samples: 1)
    }

    /// The spread of a sample, which must not be empty.
    public init(of values: [Double]) {
        precondition(!values.isEmpty, "nothing was measured")
        let sorted = values.sorted()
        self.init(
            median: Self.quantile(0.5, of: sorted), low: Self.quantile(0.1, of: sorted),
            high: Self.quantile(0.9, of: sorted), samples: sorted.count)
    }

    /// The ratio of each round's pair, and of these the spread.
    ///
    /// The two values of a round were taken within milliseconds of each other, so what slows the machine for longer than
    /// that slows both, and their ratio stays.
    public init(ofRatios values: [Double], to bases: [Double]) {
        precondition(values.count == bases.count, "\(values.count) rounds against \(bases.count)")
        self.init(of: zip(values, bases).map { $0 / $1 })
    }

    private static func quantile(_ share: Double, of sorted: [Double]) -> Double {
        let position = share * Double(sorted.count - 1)
        let below = Int(position)
        let above = min(below + 1, sorted.count - 1)
        return sorted[below] + (sorted[above] - sorted[below]) * (position - Double(below))
    }
}
