import LifetimeTracer

/// The wire type of the `tick` event: the counts at one moment.
struct WireTick: JSONObject {
    /// The most types in a tick.
    static let topTypes = 12

    private let summary: WireSummary
    private let top: [WireLiveCount]

    init(_ context: DashboardContext) {
        let summary = context.registry.summary(topTypes: Self.topTypes)
        self.summary = WireSummary(summary, context)
        top = summary.top.map { WireLiveCount(type: $0.type, live: $0.live) }
    }

    static let fields = Field.list {
        Field("summary") { $0.summary }
        Field("top", as: .array(of: WireLiveCount.schema, count: 0...topTypes)) { $0.top }
    }
}

/// The wire type of the number of live instances of a type.
private struct WireLiveCount: JSONObject {
    let type: TypeName
    let live: UInt64

    static let fields = Field.list {
        Field("type") { $0.type }
        Field("live") { $0.live }
    }
}
