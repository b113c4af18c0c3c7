/// A row of the table: a type with its counts.
struct TopRow: Sendable, Equatable {
    let type: String
    let live: Int
    /// The growth of the live count per minute, over the last minute; `nil` while unknown.
    let growth: Double?
    /// Whether the verdict on the type is that it is growing.
    let isGrowing: Bool
    let born: Int
    let died: Int
    let peak: Int
    let overdue: Int
    /// The shallow size of all live instances, in bytes; `nil` if the size is unknown.
    let bytes: Int?

    /// The time over which growth is measured, in seconds.
    private static let growthSeconds = 60

    init(_ type: WireType, trendStepSeconds: Int) {
        self.type = type.type
        live = type.live
        born = type.born
        died = type.died
        peak = type.peak
        overdue = type.verdicts.overdue
        bytes = type.shallowBytes.flatMap { size in
            let (bytes, overflows) = size.multipliedReportingOverflow(by: type.live)
            return overflows ? nil : bytes
        }
        isGrowing = type.growing
        growth = Self.growth(in: type.trend, stepSeconds: trendStepSeconds)
    }

    private static func growth(in trend: [Int], stepSeconds: Int) -> Double? {
        guard stepSeconds > 0 else { return nil }
        let last = trend.suffix(growthSeconds / stepSeconds + 1)
        guard last.count > 1, let first = last.first, let now = last.last else { return nil }
        return (Double(now) - Double(first)) * 60 / Double((last.count - 1) * stepSeconds)
    }
}

/// The data of one table.
struct TopLook: Sendable {
    let summary: WireSummary
    /// The rows, in order.
    let rows: [TopRow]
    /// The number of types.
    let total: Int

    /// Requests the data from a server.
    ///
    /// - Parameter count: The most rows.
    init(
        from transport: any APITransport, sortedBy sort: TopSort, atMost count: Int
    ) async throws(ClientFailure) {
        let api = TracerAPI(transport: transport)
        summary = try await api.summary()
        let path = "api/v1/types?sort=\(sort.serverSort ?? "name")"
        let isSorted = sort.serverSort != nil
        let list = try await api.list(
            path, of: WireTypePage.self, pageLimit: isSorted ? min(count, TracerAPI.pageLimit) : TracerAPI.pageLimit
        ) { isSorted && $0.count >= count }
        let rows = list.entries.map { TopRow($0, trendStepSeconds: list.first.trendStepSeconds) }
        self.rows = Array((isSorted ? rows : rows.sorted(by: sort.isBefore)).prefix(count))
        total = list.first.total
    }
}
