import LifetimeTracer

/// A deadline in force as it is sent.
struct WireDeadline: JSONWritable {
    private let record: DeadlineRecord
    private let setAt: Timestamp
    private let dueAt: Timestamp
    private let overdueSeconds: DecimalNumber

    init(_ record: DeadlineRecord, _ clock: WireClock) {
        self.record = record
        setAt = clock.timestamp(record.setAt)
        dueAt = clock.timestamp(record.due)
        overdueSeconds = clock.age(record.due)
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("reason", record.reason)
            writer.field("setAt", setAt)
            writer.field("withinSeconds", DecimalNumber.seconds(record.within))
            writer.field("dueAt", dueAt)
            writer.field("overdueSeconds", overdueSeconds)
            writer.field("state", record.isOverdue ? "overdue" : "pending")
        }
    }
}
