import LifetimeTracer

/// The wire type of an observer token in force.
struct WireToken: JSONObject {
    private enum State: String, JSONChoice {
        case inForce, orphaned
    }

    private let record: TokenRecord
    private let registeredAt: Timestamp
    private let age: DecimalNumber

    init(_ record: TokenRecord, _ clock: WireClock) {
        self.record = record
        registeredAt = clock.timestamp(record.registeredAt)
        age = clock.age(record.registeredAt)
    }

    static let fields = Field.list {
        Field("id") { $0.record.id.rawValue }
        Field("kind") { $0.record.kind }
        Field("event") { $0.record.event }
        Field("ownerType") { $0.record.ownerType }
        Field("owner") { $0.record.owner.map(WireOwner.init) }
        Field("state") { $0.record.isOrphaned ? State.orphaned : .inForce }
        Field("registeredAt") { $0.registeredAt }
        Field("ageSeconds") { $0.age }
        Field("deliveries") { $0.record.deliveries }
        Field("site") { $0.record.site.map(WireSite.init) }
    }
}
