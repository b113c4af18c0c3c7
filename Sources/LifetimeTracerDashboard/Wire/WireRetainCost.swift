import RetainPaths

/// The wire type of the cost of a search.
struct WireRetainCost: JSONObject {
    private let cost: RetainCost

    init(_ cost: RetainCost) {
        self.cost = cost
    }

    static let fields = Field.list {
        Field("objects") { $0.cost.objects }
        Field("blocks") { $0.cost.blocks }
        Field("rounds") { $0.cost.rounds }
        Field("copyBytes") { $0.cost.copyBytes }
        Field("excludedWords") { $0.cost.excludedWords }
        Field("pauseMilliseconds") { DecimalNumber.milliseconds($0.cost.pause) }
        Field("totalMilliseconds") { DecimalNumber.milliseconds($0.cost.total) }
    }
}
