import LifetimeTracer

/// The wire type of a page of the timeline.
struct WireTimeline: JSONObject {
    private enum Deaths: String, JSONChoice {
        case all, noted
    }

    let page: Page<WireTimelineLane>
    let from: Timestamp
    let to: Timestamp
    let deathsSince: Timestamp?
    let coversAllDeaths: Bool
    let totals: WireTimelineTotals

    static let fields = Field.list {
        Field.page { $0.page }
        Field("from") { $0.from }
        Field("to") { $0.to }
        Field("deathsSince") { $0.deathsSince }
        Field("deaths") { $0.coversAllDeaths ? Deaths.all : .noted }
        Field("totals") { $0.totals }
        Field("lanes") { $0.page.entries }
    }
}

/// The wire type of the counts of all lanes, on any page.
struct WireTimelineTotals: JSONObject {
    private let lanes: [Timeline.Lane]

    init(_ lanes: [Timeline.Lane]) {
        self.lanes = lanes
    }

    static let fields = Field.list {
        Field("live") { $0.lanes.reduce(0) { $0 + $1.live } }
        Field("overdue", as: .integer(0...)) { $0.lanes.reduce(0) { $0 + $1.overdue } }
        Field("late", as: .integer(0...)) { $0.lanes.reduce(0) { $0 + $1.late } }
        Field("died", as: .integer(0...)) { $0.lanes.reduce(0) { $0 + $1.died } }
    }
}

/// The wire type of a lane of the timeline.
struct WireTimelineLane: JSONObject {
    private let lane: Timeline.Lane
    private let growth: GrowthRecord?
    private let clock: WireClock

    init(_ lane: Timeline.Lane, growth: GrowthRecord?, _ clock: WireClock) {
        self.lane = lane
        self.growth = growth
        self.clock = clock
    }

    static let fields = Field.list {
        Field("type") { $0.lane.type }
        Field("live") { $0.lane.live }
        Field("overdue", as: .integer(0...)) { $0.lane.overdue }
        Field("late", as: .integer(0...)) { $0.lane.late }
        Field("died", as: .integer(0...)) { $0.lane.died }
        Field("liveSinceBefore", as: .integer(0...)) { $0.lane.liveSinceBefore }
        Field("hidden", as: .integer(0...)) { $0.lane.hidden }
        Field("completeSince") { $0.lane.completeSince.map($0.clock.timestamp) }
        Field("growth") { $0.growth?.reason }
        Field("evidenceSince") { wire in wire.growth.map { wire.clock.timestamp($0.evidenceSince) } }
        Field("lifetimes") { wire in wire.lane.lifetimes.map { WireLifetime($0, wire.clock) } }
    }
}

/// The wire type of the lifetime of an instance.
private struct WireLifetime: JSONObject {
    private let lifetime: Timeline.Lifetime
    private let clock: WireClock

    init(_ lifetime: Timeline.Lifetime, _ clock: WireClock) {
        self.lifetime = lifetime
        self.clock = clock
    }

    static let fields = Field.list {
        Field("id") { $0.lifetime.span.id }
        Field("label") { $0.lifetime.label }
        Field("bornAt") { $0.lifetime.span.bornAt.map($0.clock.timestamp) }
        Field("overdueAt") { $0.lifetime.span.overdueAt.map($0.clock.timestamp) }
        Field("goneAt") { $0.lifetime.span.goneAt.map($0.clock.timestamp) }
    }
}
