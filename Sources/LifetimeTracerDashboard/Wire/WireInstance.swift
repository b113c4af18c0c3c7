import LifetimeTracer

/// The wire type of a live instance.
struct WireInstance: JSONObject {
    private let record: InstanceRecord
    private let bornAt: Timestamp
    private let age: DecimalNumber
    private let verdicts: [InstanceVerdict]

    init(_ record: InstanceRecord, verdicts: [InstanceVerdict], _ clock: WireClock) {
        self.record = record
        self.verdicts = verdicts
        bornAt = clock.timestamp(record.bornAt)
        age = clock.age(record.bornAt)
    }

    static let fields = Field.list {
        Field("id") { $0.record.id }
        Field("type") { $0.record.type }
        Field("label") { $0.record.label }
        Field("bornAt") { $0.bornAt }
        Field("ageSeconds") { $0.age }
        Field("site") { $0.record.site.map(WireSite.init) }
        Field("owner") { $0.record.owner.map(WireOwner.init) }
        Field("parent") { $0.record.parent }
        Field("verdicts") { $0.verdicts }
    }
}

/// The wire type of a page of live instances.
struct WireInstanceList: JSONObject {
    let page: Page<WireInstance>

    static let fields = Field.list {
        Field.page { $0.page }
        Field("instances") { $0.page.entries }
    }
}
