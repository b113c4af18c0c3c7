import LifetimeTracer

/// The history of a registry as it is sent.
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

/// The counts at one time as they are sent.
private struct WireHistorySample: JSONObject {
    let time: Timestamp
    let sample: HistorySample
    /// The live instances of each of the history's types.
    let byType: [UInt64?]

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
    /// The live instances of a type; `nil` where the sample was full and does not tell.
    fileprivate func count(of type: TypeName) -> UInt64? {
        if let count = top[type] { return count }
        // A sample with room left, or one whose types make up all that was live, has every type that had a live instance.
        return top.count < Self.typesPerSample || top.values.reduce(0, +) == live ? 0 : nil
    }
}
