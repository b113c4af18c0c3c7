/// A figure: the cost of a contender in a workload, or its ratio to another contender's cost.
///
/// A figure is written as a line of fields separated by tabs: workload, contender, base (`-` for none), unit, median,
/// low, high, samples.
public struct Figure: Sendable, Equatable {
    /// The workload's id; ``Workload`` contains its title.
    public let workload: String
    /// The measured contender.
    public let contender: String
    /// The contender in the denominator of a ratio; `nil` if the figure is not a ratio.
    public let base: String?
    /// The unit; `x` for a ratio.
    public let unit: String
    /// The figure.
    public let value: Spread

    /// Creates a figure in a unit.
    public init(_ workload: String, _ contender: String, unit: String, _ value: Spread) {
        self.init(workload: workload, contender: contender, base: nil, unit: unit, value: value)
    }

    /// Creates a ratio.
    public init(_ workload: String, _ contender: String, ratioTo base: String, _ value: Spread) {
        self.init(workload: workload, contender: contender, base: base, unit: "x", value: value)
    }

    private init(workload: String, contender: String, base: String?, unit: String, value: Spread) {
        self.workload = workload
        self.contender = contender
        self.base = base
        self.unit = unit
        self.value = value
    }

    /// The same figure for a workload with a suffix, such as `.debug`.
    public func renamed(suffix: String) -> Figure {
        Figure(workload: workload + suffix, contender: contender, base: base, unit: unit, value: value)
    }

    /// The line of the figure.
    public var line: String {
        [
            workload, contender, base ?? "-", unit, "\(value.median)", "\(value.low)", "\(value.high)",
            "\(value.samples)",
        ].joined(separator: "\t")
    }

    /// Reads a line; `nil` if the line is not a figure.
    public init?(line: some StringProtocol) {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard fields.count == 8, fields.allSatisfy({ !$0.isEmpty }),
            let median = Double(fields[4]), let low = Double(fields[5]), let high = Double(fields[6]),
            let samples = Int(fields[7]), median.isFinite, low.isFinite, high.isFinite
        else { return nil }
        self.init(
            workload: String(fields[0]), contender: String(fields[1]), base: fields[2] == "-" ? nil : String(fields[2]),
            unit: String(fields[3]), value: Spread(median: median, low: low, high: high, samples: samples))
    }
}
