import LifetimeTracer

/// The wire type of an invariant.
struct WireInvariant: JSONObject {
    private let record: InvariantRecord
    private let disagreeingFor: DecimalNumber?

    init(_ record: InvariantRecord, _ clock: WireClock) {
        self.record = record
        disagreeingFor = record.disagreeingSince.map(clock.age)
    }

    static let fields = Field.list {
        Field("type") { $0.record.type }
        Field("each") { $0.record.each }
        Field("count") { $0.record.count }
        Field("reason") { $0.record.reason }
        Field("live") { $0.record.live }
        Field("eachLive") { $0.record.eachLive }
        Field("broken") { $0.record.isBroken }
        Field("disagreeingSeconds") { $0.disagreeingFor }
        Field("message") { $0.record.message }
    }
}

/// The wire type of a page of invariants.
struct WireInvariantList: JSONObject {
    let page: Page<WireInvariant>

    static let fields = Field.list {
        Field.page { $0.page }
        Field("invariants") { $0.page.entries }
    }
}
