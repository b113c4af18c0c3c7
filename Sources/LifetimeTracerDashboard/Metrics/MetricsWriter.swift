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

    private var buffer = ByteBuffer(reservingCapacity: 32 << 10)

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

    /// Writes a metric with a sample for each of some labels.
    ///
    /// - Parameters:
    ///   - labels: The labels as in ``labelText(_:_:)``.
    ///   - value: Returns the value of the sample at a position.
    mutating func metric(_ name: String, _ kind: Kind, _ help: String, labels: [[UInt8]], _ value: (Int) -> Int) {
        let sampleName = head(name, kind, help)
        for (position, label) in labels.enumerated() {
            buffer.append(sampleName)
            label.withUnsafeBufferPointer { buffer.append($0) }
            append(value(position))
            buffer.append(0x0A)
        }
    }

    /// Returns a label with its value, as it stands between the name of a sample and its value.
    static func labelText(_ label: String, _ value: String) -> [UInt8] {
        var writer = MetricsWriter(.prometheus)
        writer.buffer.append("{")
        writer.buffer.append(label)
        writer.buffer.append("=\"")
        writer.appendEscaped(value, quotes: true)
        writer.buffer.append("\"} ")
        return writer.bytes
    }

    /// Writes a metric whose samples have one label.
    mutating func metric<Value: FixedWidthInteger>(
        _ name: String, _ kind: Kind, _ help: String, label: String, _ samples: [(String, Value)]
    ) {
        metric(name, kind, help, labels: [label], samples.map { MetricSample([$0.0], $0.1) })
    }

    /// Writes a metric with a single sample.
    mutating func metric(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
        buffer.append(head(name, kind, help))
        buffer.append(0x20)
        append(value)
        buffer.append(0x0A)
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

    private mutating func append(_ number: Int) {
        // A 64-bit integer has at most 20 digits, or 19 and a sign.
        buffer.append(atMost: 20) { place in
            guard number < 0 else { return place.writeDecimal(UInt64(number)) }
            place.pointee = UInt8(ascii: "-")
            return 1 + (place + 1).writeDecimal(UInt64(number.magnitude))
        }
    }

    private mutating func appendEscaped(_ text: String, quotes: Bool) {
        func needsEscape(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: "\\") || byte == 0x0A || (quotes && byte == UInt8(ascii: "\""))
        }
        // Most texts need no escapes and are appended as a whole.
        let isPlain = text.utf8.withContiguousStorageIfAvailable { utf8 in
            guard !JSONWriter.needsEscape(utf8) else { return false }
            buffer.append(utf8)
            return true
        }
        if isPlain == true { return }
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
