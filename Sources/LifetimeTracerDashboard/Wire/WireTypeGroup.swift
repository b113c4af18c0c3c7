import LifetimeTracer

/// The wire type of a group of types.
struct WireTypeGroup: JSONObject {
    private let record: GroupRecord

    init(_ record: GroupRecord) {
        self.record = record
    }

    static let fields = Field.list {
        Field("name") { $0.record.name }
        Field("live") { $0.record.live }
        Field("budget", as: .integer(0...).orNull) { $0.record.budget }
        Field("overBudget") { $0.record.isOverBudget }
    }
}
