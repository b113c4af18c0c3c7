import LifetimeTracer

/// The wire type of a deadline in force.
struct WireDeadline: JSONObject {
    private enum State: String, JSONChoice {
        case pending, overdue
    }

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

    static let fields = Field.list {
        Field("reason") { $0.record.reason }
        Field("setAt") { $0.setAt }
        Field("withinSeconds") { DecimalNumber.seconds($0.record.within) }
        Field("dueAt") { $0.dueAt }
        Field("overdueSeconds") { $0.overdueSeconds }
        Field("state") { $0.record.isOverdue ? State.overdue : .pending }
    }
}
