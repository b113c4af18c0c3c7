/// The limits of figures.
///
/// The limits are a text of lines, `workload contender[/base] most`, such as `pair traced/bare 1.4`. `#` begins a
/// comment.
public struct Thresholds: Sendable {
    /// The limit of one figure.
    public struct Limit: Sendable {
        /// The workload's id.
        public let workload: String
        /// The contender.
        public let contender: String
        /// The contender in the denominator, if the figure is a ratio.
        public let base: String?
        /// The greatest permitted median.
        public let most: Double

        var name: String { "\(workload) \(contender)" + (base.map { "/\($0)" } ?? "") }
    }

    /// The limits, in the order of the text.
    public let limits: [Limit]

    /// A line that is not a limit.
    public struct UnreadableLine: Error, CustomStringConvertible {
        /// The line's number, from 1.
        public let number: Int
        /// The line.
        public let line: String

        /// The line and its error.
        public var description: String {
            "line \(number) is not 'workload contender[/base] most': '\(line)'"
        }
    }

    /// Reads the lines.
    public init(text: String) throws(UnreadableLine) {
        var limits: [Limit] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let content = line.prefix { $0 != "#" }
            let fields = content.split { $0 == " " || $0 == "\t" }
            if fields.isEmpty { continue }
            let names = fields.count == 3 ? fields[1].split(separator: "/", omittingEmptySubsequences: false) : []
            guard fields.count == 3, (1...2).contains(names.count), names.allSatisfy({ !$0.isEmpty }),
                let most = Double(fields[2]), most.isFinite, most > 0
            else { throw UnreadableLine(number: index + 1, line: String(line)) }
            limits.append(
                Limit(
                    workload: String(fields[0]), contender: String(names[0]),
                    base: names.count == 2 ? String(names[1]) : nil, most: most))
        }
        self.limits = limits
    }

    /// The limit of a figure, if it has one.
    public func limit(of figure: Figure) -> Double? {
        limits.last {
            $0.workload == figure.workload && $0.contender == figure.contender && $0.base == figure.base
        }?.most
    }
}
