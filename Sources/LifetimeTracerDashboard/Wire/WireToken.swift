import LifetimeTracer

/// An observer token in force as it is sent.
struct WireToken: JSONWritable {
    private let record: TokenRecord
    private let registeredAt: Timestamp
    private let age: DecimalNumber

    init(_ record: TokenRecord, _ clock: WireClock) {
        self.record = record
        registeredAt = clock.timestamp(record.registeredAt)
        age = clock.age(record.registeredAt)
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("id", record.id.rawValue)
            writer.field("kind", record.kind.rawValue)
            writer.field("event", record.event)
            writer.field("ownerType", record.ownerType?.qualified)
            writer.field("owner", record.owner.map(WireOwner.init))
            writer.field("state", record.isOrphaned ? "orphaned" : "inForce")
            writer.field("registeredAt", registeredAt)
            writer.field("ageSeconds", age)
            writer.field("deliveries", record.deliveries)
            writer.field("site", record.site.map(WireSite.init))
        }
    }
}
