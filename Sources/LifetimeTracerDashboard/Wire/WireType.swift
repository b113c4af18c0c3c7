import LifetimeTracer

/// The wire type of a traced type.
struct WireType: JSONObject {
    private let record: TypeRecord
    private let trend: Trend
    private let growth: GrowthRecord?
    private let oldestAge: DecimalNumber?

    init(_ record: TypeRecord, trend: Trend, growth: GrowthRecord?, _ clock: WireClock) {
        self.record = record
        self.trend = trend
        self.growth = growth
        oldestAge = record.oldest.map(clock.age)
    }

    static let fields = Field.list {
        Field("type") { $0.record.type }
        Field("module") { $0.record.type.module }
        Field("name") { $0.record.type.name }
        Field("live") { $0.record.live }
        Field("peak") { $0.record.peak }
        Field("born") { $0.record.born }
        Field("died") { $0.record.died }
        Field("shallowBytes", as: .integer(0...).orNull) { $0.record.shallowBytes }
        Field("oldestAgeSeconds") { $0.oldestAge }
        Field("budget", as: .integer(0...).orNull) { $0.record.budget }
        Field("overBudget") { $0.record.isOverBudget }
        Field("maximumAgeSeconds") { $0.record.maximumAge.map(DecimalNumber.seconds) }
        Field("group") { $0.record.group }
        Field("trend") { $0.trend.counts }
        Field("growing") { $0.growth != nil }
        Field("growth") { $0.growth?.reason }
        Field("verdicts") { WireTypeVerdicts(record: $0.record) }
    }
}

/// The wire type of the counts of verdicts on a type's instances.
private struct WireTypeVerdicts: JSONObject {
    let record: TypeRecord

    static let fields = Field.list {
        Field("overdue", as: .integer(0...)) { $0.record.overdue }
        Field("late", as: .integer(0...)) { $0.record.late }
        Field("orphanOwner", as: .integer(0...)) { $0.record.orphanOwner }
    }
}

/// The wire type of a page of types.
struct WireTypeList: JSONObject {
    let page: Page<WireType>
    let groups: [WireTypeGroup]

    static let fields = Field.list {
        Field.page { $0.page }
        Field("trendStepSeconds", as: .integer(1...)) { _ in TypeTrends.stepSeconds }
        Field("groups") { $0.groups }
        Field("types") { $0.page.entries }
    }
}
