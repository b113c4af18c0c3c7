/// The median and the spread of a sample.
public struct Spread: Sendable, Equatable {
    /// The value that half of the sample is below.
    public let median: Double
    /// The value that a tenth of the sample is below.
    public let low: Double
    /// The value that a tenth of the sample is above.
    public let high: Double
    /// The number of values in the sample.
    public let samples: Int

    /// Creates a spread from values that were written to a file.
    public init(median: Double, low: Double, high: Double, samples: Int) {
        self.median = median
        self.low = low
        self.high = high
        self.samples = samples
    }

    /// Creates the spread of an exact figure or of a single measurement.
    public init(exactly value: Double) {
        self.init(median: value, low: value, high: value, samples: 1)
    }

    /// Creates the spread of a sample, which must not be empty.
    public init(of values: [Double]) {
        precondition(!values.isEmpty, "nothing was measured")
        let sorted = values.sorted()
        self.init(
            median: Self.quantile(0.5, of: sorted), low: Self.quantile(0.1, of: sorted),
            high: Self.quantile(0.9, of: sorted), samples: sorted.count)
    }

    /// The spread of the ratios of each round's pair of values.
    ///
    /// The two values of a round were measured within milliseconds of each other. A longer disturbance slows down both
    /// of them, and their ratio stays the same.
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
