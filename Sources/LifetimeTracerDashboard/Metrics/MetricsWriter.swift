/// Writes metrics in the text formats of Prometheus
/// (https://prometheus.io/docs/instrumenting/exposition_formats/) and OpenMetrics (https://openmetrics.io).
struct MetricsWriter: Sendable {
    /// What a metric counts.
    enum Kind: String, Sendable {
        /// What rises and falls.
        case gauge
        /// What only rises. Its name ends in `_total`.
        case counter
    }

    /// The text so far.
    private(set) var text = ""

    private let format: MetricsFormat

    init(_ format: MetricsFormat) {
        self.format = format
    }

    /// Writes a metric with its samples.
    ///
    /// - Parameters:
    ///   - name: The name behind `lifetime_tracer_`, without `_total`.
    ///   - kind: What it counts.
    ///   - help: What it is, in a sentence.
    ///   - label: The name of the label that tells the samples apart.
    ///   - samples: The values, each with its label's value.
    mutating func metric<Value: FixedWidthInteger>(
        _ name: String, _ kind: Kind, _ help: String, label: String, _ samples: [(String, Value)]
    ) {
        let sampleName = head(name, kind, help)
        for (labelValue, value) in samples {
            text += "\(sampleName){\(label)=\"\(Self.escaped(labelValue, quotes: true))\"} \(value)\n"
        }
    }

    /// Writes a metric with a single sample.
    mutating func metric(_ name: String, _ kind: Kind, _ help: String, _ value: some FixedWidthInteger) {
        text += "\(head(name, kind, help)) \(value)\n"
    }

    /// Writes what stands behind the last metric.
    mutating func finish() {
        if format == .openMetrics { text += "# EOF\n" }
    }

    private mutating func head(_ name: String, _ kind: Kind, _ help: String) -> String {
        let sampleName = "lifetime_tracer_\(name)" + (kind == .counter ? "_total" : "")
        // OpenMetrics describes a counter under its name without the ending, the older format under that of its samples.
        let describedName = format == .openMetrics ? "lifetime_tracer_\(name)" : sampleName
        text += "# HELP \(describedName) \(Self.escaped(help, quotes: format == .openMetrics))\n"
        text += "# TYPE \(describedName) \(kind.rawValue)\n"
        return sampleName
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += #"\\"#
            case "\n": result += #"\n"#
            case "\"" where quotes: result += #"\""#
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
