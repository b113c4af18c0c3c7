import LifetimeTracer

/// A live instance as it is sent.
struct WireInstance: JSONWritable {
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

    func write(to writer: inout JSONWriter) {
        writer.object { writeFields(to: &$0) }
    }

    /// Writes the fields alone, for an object that has more of them.
    func writeFields(to writer: inout JSONWriter) {
        writer.field("id", record.id.rawValue)
        writer.field("type", record.type.qualified)
        writer.field("label", record.label)
        writer.field("bornAt", bornAt)
        writer.field("ageSeconds", age)
        writer.field("site", record.site.map(WireSite.init))
        writer.field("owner", record.owner.map(WireOwner.init))
        writer.field("parent", record.parent?.rawValue)
        writer.field("verdicts", verdicts.map(\.rawValue))
    }
}
