import LifetimeTracer

/// The wire type of a comparison of two marks.
struct WireDiff: JSONObject {
    /// The most types, and the most events with owner types, in a comparison.
    static let typeLimit = 500

    private let from: WireDiffEnd
    private let to: WireDiffEnd
    private let types: [WireTypeChange]
    private let tokens: [WireTokenChange]
    private let survivors: Page<WireInstance>

    init(_ diff: SnapshotDiff, tokens: [TokenChange], survivors: Page<WireInstance>, _ clock: WireClock) {
        self.tokens = tokens.prefix(Self.typeLimit).map(WireTokenChange.init)
        from = WireDiffEnd(name: diff.from.name, at: clock.timestamp(diff.from.at))
        to = WireDiffEnd(name: diff.to.name, at: clock.timestamp(diff.to.at))
        types = diff.types.prefix(Self.typeLimit).map(WireTypeChange.init)
        self.survivors = survivors
    }

    static let fields = Field.list {
        Field("from") { $0.from }
        Field("to") { $0.to }
        Field("types", as: .array(of: WireTypeChange.schema, count: 0...typeLimit)) { $0.types }
        Field("tokens", as: .array(of: WireTokenChange.schema, count: 0...typeLimit)) { $0.tokens }
        Field.page { $0.survivors }
        Field("survivors") { $0.survivors.entries }
    }
}

/// The wire type of one of the two compared points in time.
private struct WireDiffEnd: JSONObject {
    let name: String
    let at: Timestamp

    static let fields = Field.list {
        Field("name", as: .string(length: 1...LifetimeRegistry.longestMarkName)) { $0.name }
        Field("at") { $0.at }
    }
}

/// The wire type of the tokens of an event and owner type that were registered between two points in time.
private struct WireTokenChange: JSONObject {
    let change: TokenChange

    static let fields = Field.list {
        Field("event") { $0.change.event }
        Field("ownerType") { $0.change.ownerType }
        Field("kept", as: .integer(0...)) { $0.change.kept }
    }
}

/// The wire type of a type's births and deaths between two points in time.
private struct WireTypeChange: JSONObject {
    let change: SnapshotDiff.TypeChange

    static let fields = Field.list {
        Field("type") { $0.change.type }
        Field("born") { $0.change.born }
        Field("died") { $0.change.died }
        Field("kept") { $0.change.kept }
    }
}
