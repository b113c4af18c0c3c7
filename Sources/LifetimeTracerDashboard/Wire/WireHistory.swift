import LifetimeTracer

/// The wire type of a registry's history.
struct WireHistory: JSONObject {
    private let stepSeconds: Int
    private let types: [TypeName]
    private let samples: [WireHistorySample]

    init(_ samples: [HistorySample], stepSeconds: Int, types: [TypeName], _ clock: WireClock) {
        self.stepSeconds = stepSeconds
        self.types = types
        self.samples = samples.map { sample in
            WireHistorySample(
                time: clock.timestamp(sample.at), sample: sample, byType: types.map { sample.count(of: $0) })
        }
    }

    static let fields = Field.list {
        Field("stepSeconds", as: .integer(1...)) { $0.stepSeconds }
        Field("types") { $0.types }
        Field("samples") { $0.samples }
    }
}

/// The wire type of the counts at one time.
private struct WireHistorySample: JSONObject {
    let time: Timestamp
    let sample: HistorySample
    /// The number of live instances of each of the history's types.
    let byType: [Int?]

    static let fields = Field.list {
        Field("time") { $0.time }
        Field("live") { $0.sample.live }
        Field("born") { $0.sample.born }
        Field("died") { $0.sample.died }
        Field("tokens") { $0.sample.tokens }
        Field("overdue") { $0.sample.overdue }
        Field("byType") { $0.byType }
        Field("rest") { $0.sample.live - $0.byType.reduce(0) { $0 + ($1 ?? 0) } }
    }
}

extension HistorySample {
    /// Returns the number of live instances of a type; `nil` if the sample left the type out because the sample was
    /// full.
    fileprivate func count(of type: TypeName) -> Int? {
        if let place = topTypes.firstIndex(of: type) { return topCounts[place] }
        // A sample lists every type with live instances if it has room left or if its counts add up to all live
        // instances.
        return topTypes.count < Self.typesPerSample || topCounts.reduce(0, +) == live ? 0 : nil
    }
}
