import LifetimeTracer

/// An invariant as it is sent.
struct WireInvariant: JSONWritable {
    private let record: InvariantRecord
    private let disagreeingFor: DecimalNumber?

    init(_ record: InvariantRecord, _ clock: WireClock) {
        self.record = record
        disagreeingFor = record.disagreeingSince.map(clock.age)
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("type", record.type.qualified)
            writer.field("each", record.each.qualified)
            writer.field("count", record.count)
            writer.field("reason", record.reason)
            writer.field("live", record.live)
            writer.field("eachLive", record.eachLive)
            writer.field("broken", record.isBroken)
            writer.field("disagreeingSeconds", disagreeingFor)
            writer.field("message", record.message)
        }
    }
}
