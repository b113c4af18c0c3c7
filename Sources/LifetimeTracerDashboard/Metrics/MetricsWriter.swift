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

    private var buffer: ByteBuffer
    private let format: MetricsFormat

    private init(_ format: MetricsFormat, _ buffer: consuming ByteBuffer) {
        self.format = format
        self.buffer = buffer
    }

    /// Returns the text that `write` writes, in UTF-8.
    static func bytes(
        _ format: MetricsFormat, reservingCapacity capacity: Int, _ write: (inout MetricsWriter) -> Void
    ) -> [UInt8] {
        ByteBuffer.array(reservingCapacity: capacity) { buffer in
            var writer = MetricsWriter(format, buffer)
            write(&writer)
            return writer.buffer
        }
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
        head(name, kind, help)
        for sample in samples {
            precondition(sample.labels.count == labels.count, "a sample of \(name) has the wrong number of labels")
            appendName(name, kind)
            appendLabels(Array(zip(labels, sample.labels)))
            append(sample.value)
            buffer.append(0x0A)
        }
    }

    /// Writes a metric with a sample for each of some labels.
    ///
    /// - Parameters:
    ///   - labels: The labels as in ``labelText(_:)``.
    ///   - value: Returns the value of the sample at a position.
    mutating func metric(_ name: String, _ kind: Kind, _ help: String, labels: [[UInt8]], _ value: (Int) -> Int) {
        head(name, kind, help)
        var start = 0..<0
        for position in labels.indices {
            if position == 0 { start = appendName(name, kind) } else { buffer.appendAgain(start) }
            labels[position].withUnsafeBufferPointer { buffer.append($0) }
            append(value(position))
            buffer.append(0x0A)
        }
    }

    /// Writes a metric whose samples have one label.
    mutating func metric(
        _ name: String, _ kind: Kind, _ help: String, label: String, _ samples: [(value: String, number: Int)]
    ) {
        head(name, kind, help)
        var start = 0..<0
        for (position, sample) in samples.enumerated() {
            if position == 0 {
                start = appendName(name, kind)
                buffer.append("{")
                buffer.append(label)
                buffer.append("=\"")
                start = start.lowerBound..<buffer.count
            } else {
                buffer.appendAgain(start)
            }
            appendEscaped(sample.value, quotes: true)
            buffer.append("\"} ")
            append(sample.number)
            buffer.append(0x0A)
        }
    }

    /// Writes a metric with a single sample.
    mutating func metric(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
        head(name, kind, help)
        appendName(name, kind)
        buffer.append(0x20)
        append(value)
        buffer.append(0x0A)
    }

    /// Writes a metric with a single sample, or nothing if the value is unknown.
    mutating func metric(_ name: String, _ kind: Kind, _ help: String, _ value: Double?) {
        guard let value else { return }
        head(name, kind, help)
        appendName(name, kind)
        buffer.append(0x20)
        append(value)
        buffer.append(0x0A)
    }

    /// Writes the end of the text.
    mutating func finish() {
        if format == .openMetrics { buffer.append("# EOF\n") }
    }

    /// Returns labels with their values, as they stand between the name of a sample and its value.
    static func labelText(_ labels: [(name: String, value: String)]) -> [UInt8] {
        bytes(.prometheus, reservingCapacity: 256) { $0.appendLabels(labels) }
    }

    private mutating func appendLabels(_ labels: [(name: String, value: String)]) {
        for (position, label) in labels.enumerated() {
            buffer.append(position == 0 ? "{" : ",")
            buffer.append(label.name)
            buffer.append("=\"")
            appendEscaped(label.value, quotes: true)
            buffer.append("\"")
        }
        buffer.append(labels.isEmpty ? " " : "} ")
    }

    private mutating func head(_ name: String, _ kind: Kind, _ help: String) {
        // OpenMetrics describes a counter by its name without `_total`, the older format by the name of its samples.
        let describedKind = format == .openMetrics ? .gauge : kind
        buffer.append("# HELP ")
        let described = appendName(name, describedKind)
        buffer.append(0x20)
        appendEscaped(help, quotes: format == .openMetrics)
        buffer.append("\n# TYPE ")
        buffer.appendAgain(described)
        buffer.append(kind == .gauge ? " gauge\n" : " counter\n")
    }

    /// Appends the name of a metric's samples, and returns where it stands.
    @discardableResult
    private mutating func appendName(_ name: String, _ kind: Kind) -> Range<Int> {
        let start = buffer.count
        buffer.append(name)
        if kind == .counter { buffer.append("_total") }
        return start..<buffer.count
    }

    private mutating func append(_ number: Int) {
        // A 64-bit integer has at most 20 digits, or 19 and a sign.
        buffer.append(atMost: 20) { place in
            guard number < 0 else { return place.writeDecimal(UInt64(number)) }
            place.pointee = UInt8(ascii: "-")
            return 1 + (place + 1).writeDecimal(UInt64(number.magnitude))
        }
    }

    private mutating func append(_ number: Double) {
        // Whole numbers are written without a point, as long as a Double represents them exactly.
        if number.magnitude < 1e15, number == number.rounded() {
            append(Int(number))
        } else {
            buffer.append("\(number)")
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
    /// The value.
    let value: Double

    /// Creates a sample.
    init(_ labels: [String], _ value: Double) {
        self.labels = labels
        self.value = value
    }
}
