import LifetimeTracer

/// The wire type of the `tick` event: the counts at one moment.
struct WireTick: JSONObject {
    /// The most types in a tick.
    static let topTypes = 12

    private let summary: WireSummary
    private let top: [WireLiveCount]
    private let growth: [WireGrowth]

    /// The most growing subjects in a tick.
    private static let growthLimit = 5

    init(_ context: DashboardContext) {
        let summary = context.registry.summary(topTypes: Self.topTypes)
        self.summary = WireSummary(summary, context)
        growth = context.registry.growth().prefix(Self.growthLimit).map { WireGrowth($0, context) }
        top = summary.top.map { WireLiveCount(type: $0.type, live: $0.live) }
    }

    static let fields = Field.list {
        Field("summary") { $0.summary }
        Field("top", as: .array(of: WireLiveCount.schema, count: 0...topTypes)) { $0.top }
        Field("growth", as: .array(of: WireGrowth.schema, count: 0...growthLimit)) { $0.growth }
    }
}

/// The wire type of the number of live instances of a type.
private struct WireLiveCount: JSONObject {
    let type: TypeName
    let live: Int

    static let fields = Field.list {
        Field("type") { $0.type }
        Field("live") { $0.live }
    }
}
