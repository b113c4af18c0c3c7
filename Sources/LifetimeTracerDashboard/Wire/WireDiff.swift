import LifetimeTracer

/// A comparison of two marks as it is sent.
struct WireDiff: JSONObject {
    /// The most types that are sent.
    static let typeLimit = 500

    private let from: WireDiffEnd
    private let to: WireDiffEnd
    private let types: [WireTypeChange]
    private let survivors: Page<WireInstance>

    init(_ diff: SnapshotDiff, survivors: Page<WireInstance>, _ clock: WireClock) {
        from = WireDiffEnd(name: diff.from.name, at: clock.timestamp(diff.from.at))
        to = WireDiffEnd(name: diff.to.name, at: clock.timestamp(diff.to.at))
        types = diff.types.prefix(Self.typeLimit).map(WireTypeChange.init)
        self.survivors = survivors
    }

    static let fields = Field.list {
        Field("from") { $0.from }
        Field("to") { $0.to }
        Field("types", as: .array(of: WireTypeChange.schema, count: 0...typeLimit)) { $0.types }
        Field.page { $0.survivors }
        Field("survivors") { $0.survivors.entries }
    }
}

/// One of the two points in time that are compared, as it is sent.
private struct WireDiffEnd: JSONObject {
    let name: String
    let at: Timestamp

    static let fields = Field.list {
        Field("name", as: .string(length: 1...LifetimeRegistry.longestMarkName)) { $0.name }
        Field("at") { $0.at }
    }
}

/// What happened to a type between two points in time, as it is sent.
private struct WireTypeChange: JSONObject {
    let change: SnapshotDiff.TypeChange

    static let fields = Field.list {
        Field("type") { $0.change.type }
        Field("born") { $0.change.born }
        Field("died") { $0.change.died }
        Field("kept") { $0.change.kept }
    }
}
