import TracerBase

/// Writes metrics in the text formats of Prometheus
/// (https://prometheus.io/docs/instrumenting/exposition_formats/) and OpenMetrics (https://openmetrics.io).
struct MetricsWriter: ~Copyable {
    /// The kind of a metric.
    enum Kind: String, Sendable {
        /// A value that rises and falls.
        case gauge
        /// A value that only rises. The names of its samples end in `_total`.
        case counter
    }

    /// The text so far, in UTF-8.
    var bytes: [UInt8] { buffer.bytes }

    private var buffer = ByteBuffer(reservingCapacity: 16 << 10)

    private let format: MetricsFormat

    init(_ format: MetricsFormat) {
        self.format = format
    }

    /// Writes a metric with its samples.
    ///
    /// - Parameters:
    ///   - name: The whole name, without `_total`.
    ///   - kind: Gauge or counter.
    ///   - help: The description, in a sentence.
    ///   - labels: The names of the labels.
    ///   - samples: The values, each with the values of its labels. No two have the same label values.
    mutating func metric(
        _ name: String, _ kind: Kind, _ help: String, labels: [String], _ samples: [MetricSample]
    ) {
        let sampleName = head(name, kind, help)
        for sample in samples {
            precondition(sample.labels.count == labels.count, "a sample of \(name) has the wrong number of labels")
            buffer.append(sampleName)
            for (position, label) in labels.enumerated() {
                buffer.append(position == 0 ? "{" : ",")
                buffer.append(label)
                buffer.append("=\"")
                appendEscaped(sample.labels[position], quotes: true)
                buffer.append("\"")
            }
            buffer.append(labels.isEmpty ? " " : "} ")
            buffer.append(sample.value)
            buffer.append("\n")
        }
    }

    /// Writes a metric whose samples have one label.
    mutating func metric<Value: FixedWidthInteger>(
        _ name: String, _ kind: Kind, _ help: String, label: String, _ samples: [(String, Value)]
    ) {
        metric(name, kind, help, labels: [label], samples.map { MetricSample([$0.0], $0.1) })
    }

    /// Writes a metric with a single sample.
    mutating func metric(_ name: String, _ kind: Kind, _ help: String, _ value: some FixedWidthInteger) {
        metric(name, kind, help, labels: [], [MetricSample([], value)])
    }

    /// Writes a metric with a single sample, or nothing if the value is unknown.
    mutating func metric(_ name: String, _ kind: Kind, _ help: String, _ value: Double?) {
        guard let value else { return }
        metric(name, kind, help, labels: [], [MetricSample([], value)])
    }

    /// Writes the end of the text.
    mutating func finish() {
        if format == .openMetrics { buffer.append("# EOF\n") }
    }

    private mutating func head(_ name: String, _ kind: Kind, _ help: String) -> String {
        let sampleName = name + (kind == .counter ? "_total" : "")
        // OpenMetrics describes a counter by its name without `_total`, the older format by the name of its samples.
        let describedName = format == .openMetrics ? name : sampleName
        buffer.append("# HELP ")
        buffer.append(describedName)
        buffer.append(" ")
        appendEscaped(help, quotes: format == .openMetrics)
        buffer.append("\n# TYPE ")
        buffer.append(describedName)
        buffer.append(" ")
        buffer.append(kind.rawValue)
        buffer.append("\n")
        return sampleName
    }

    private mutating func appendEscaped(_ text: String, quotes: Bool) {
        func needsEscape(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: "\\") || byte == 0x0A || (quotes && byte == UInt8(ascii: "\""))
        }
        // Most texts need no escapes and are appended as a whole.
        guard text.utf8.contains(where: needsEscape) else { return buffer.append(text) }
        for byte in text.utf8 {
            if needsEscape(byte) { buffer.append(UInt8(ascii: "\\")) }
            buffer.append(byte == 0x0A ? UInt8(ascii: "n") : byte)
        }
    }
}

/// One value of a metric.
struct MetricSample: Sendable {
    /// The values of the labels, in the order of their names.
    let labels: [String]
    /// The value in digits.
    let value: String

    /// Creates a sample with a whole number.
    init(_ labels: [String], _ value: some FixedWidthInteger) {
        self.labels = labels
        self.value = String(value)
    }

    /// Creates a sample with a number.
    init(_ labels: [String], _ value: Double) {
        self.labels = labels
        // Whole numbers are written without a point, as long as a Double represents them exactly.
        self.value = value.magnitude < 1e15 && value == value.rounded() ? String(Int64(value)) : "\(value)"
    }
}
