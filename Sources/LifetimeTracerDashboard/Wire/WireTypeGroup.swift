import LifetimeTracer

/// A group of types as it is sent.
struct WireTypeGroup: JSONWritable {
    private let record: GroupRecord

    init(_ record: GroupRecord) {
        self.record = record
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("name", record.name)
            writer.field("live", record.live)
            writer.field("budget", record.budget)
            writer.field("overBudget", record.isOverBudget)
        }
    }
}
