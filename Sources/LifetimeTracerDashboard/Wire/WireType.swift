import LifetimeTracer

/// A type as it is sent.
struct WireType: JSONWritable {
    private let record: TypeRecord
    private let trend: Trend
    private let oldestAge: DecimalNumber?

    init(_ record: TypeRecord, trend: Trend, _ clock: WireClock) {
        self.record = record
        self.trend = trend
        oldestAge = record.oldest.map(clock.age)
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("type", record.type.qualified)
            writer.field("module", record.type.module)
            writer.field("name", record.type.name)
            writer.field("live", record.live)
            writer.field("peak", record.peak)
            writer.field("born", record.born)
            writer.field("died", record.died)
            writer.field("shallowBytes", record.shallowBytes)
            writer.field("oldestAgeSeconds", oldestAge)
            writer.field("budget", record.budget)
            writer.field("overBudget", record.isOverBudget)
            writer.field("group", record.group)
            writer.field("trend", trend.counts)
            writer.field("growing", trend.isGrowing)
            writer.key("verdicts")
            writer.object { writer in
                writer.field("overdue", record.overdue)
                writer.field("late", record.late)
                writer.field("orphanOwner", record.orphanOwner)
            }
        }
    }
}
