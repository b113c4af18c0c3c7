/// In which of its two text formats Prometheus gets the metrics.
enum MetricsFormat: Sendable {
    /// The Prometheus text format 0.0.4.
    case prometheus
    /// OpenMetrics 1.0.
    case openMetrics

    /// OpenMetrics for those who say that they take it, the older format for everyone else.
    init(_ request: HTTPRequest) {
        let ranges = request.headers.values("Accept").flatMap { $0.split(separator: ",") }
        self = ranges.contains(where: Self.isOpenMetrics) ? .openMetrics : .prometheus
    }

    /// The value of `Content-Type`.
    var contentType: String {
        switch self {
        case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        }
    }

    private static func isOpenMetrics(_ range: Substring) -> Bool {
        let parts = range.lowercased().filter { $0 != " " && $0 != "\t" }.split(separator: ";")
        guard parts.first == "application/openmetrics-text" else { return false }
        // A weight of zero means "not this".
        return !parts.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
    }
}
