/// The text formats of the metrics.
enum MetricsFormat: Sendable {
    /// The Prometheus text format 0.0.4.
    case prometheus
    /// OpenMetrics 1.0.
    case openMetrics

    /// Selects OpenMetrics if the request accepts it, else the Prometheus text format.
    init(_ request: HTTPRequest) {
        // Most clients do not even mention the format.
        let ranges = request.headers.values("Accept").filter { $0.utf8.count >= Self.openMetricsType.utf8.count }
            .flatMap { $0.split(separator: ",") }
        self = ranges.contains(where: Self.isOpenMetrics) ? .openMetrics : .prometheus
    }

    private static let openMetricsType = "application/openmetrics-text"

    /// The value of `Content-Type`.
    var contentType: String {
        switch self {
        case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        }
    }

    private static func isOpenMetrics(_ range: Substring) -> Bool {
        let parts = range.lowercased().filter { $0 != " " && $0 != "\t" }.split(separator: ";")
        guard parts.first == openMetricsType[...] else { return false }
        // A weight of zero means "not acceptable".
        return !parts.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
    }
}
