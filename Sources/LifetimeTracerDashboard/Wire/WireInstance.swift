import LifetimeTracer
import TracerBase

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

    /// Writes the same as the fields, in less time: a list has hundreds of instances.
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", record.id)
            writer.member("type", record.type)
            writer.member("label", record.label)
            writer.member("bornAt", bornAt)
            writer.member("ageSeconds", age)
            writer.member("site", record.site.map(WireSite.init))
            writer.member("owner", record.owner.map(WireOwner.init))
            writer.member("parent", record.parent)
            writer.member("verdicts", verdicts)
        }
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
