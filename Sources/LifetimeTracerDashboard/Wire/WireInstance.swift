import LifetimeTracer
import TracerBase

/// The wire type of a live instance.
struct WireInstance: JSONObject {
    private let record: InstanceRecord
    private let bornAt: Timestamp
    private let age: DecimalNumber
    private let verdicts: InstanceVerdictSet

    init(_ record: InstanceRecord, verdicts: InstanceVerdictSet, _ clock: WireClock) {
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
    private let page: Page<Int>
    private let instances: WireInstances

    /// Creates a page of the places in a list.
    init(page: Page<Int>, of list: InstanceList, verdicts: InstanceVerdicts, _ clock: WireClock) {
        self.page = page
        instances = WireInstances { [places = page.entries] writer in
            for place in places {
                let record = list[place]
                WireInstance(record, verdicts: verdicts.of(record), clock).write(to: &writer)
            }
        }
    }

    /// Creates a page of records.
    init(page: Page<InstanceRecord>, verdicts: InstanceVerdicts, _ clock: WireClock) {
        self.page = Page(total: page.total, next: page.next, entries: Array(page.entries.indices))
        instances = WireInstances { [records = page.entries] writer in
            for record in records { WireInstance(record, verdicts: verdicts.of(record), clock).write(to: &writer) }
        }
    }

    static let fields = Field.list {
        Field.page { $0.page }
        Field("instances") { $0.instances }
    }
}

/// Instances of which each is made when it is written, which saves the copies that a list would need.
private struct WireInstances: JSONDescribed {
    /// Writes the elements of the list.
    let writeAll: @Sendable (inout JSONWriter) -> Void

    static var schema: JSONSchema { [WireInstance].schema }

    func write(to writer: inout JSONWriter) {
        writer.elements(writeAll)
    }
}
