import LifetimeTracer

/// The history of a registry as it is sent.
struct WireHistory: JSONWritable {
    private let stepSeconds: Int
    private let types: [TypeName]
    private let samples: [(time: Timestamp, sample: HistorySample)]

    init(_ samples: [HistorySample], stepSeconds: Int, types: [TypeName], _ clock: WireClock) {
        self.stepSeconds = stepSeconds
        self.types = types
        self.samples = samples.map { (clock.timestamp($0.at), $0) }
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("stepSeconds", stepSeconds)
            writer.field("types", types.map(\.qualified))
            writer.key("samples")
            writer.array(samples) { writer, entry in
                let counts = types.map { entry.sample.count(of: $0) }
                writer.object { writer in
                    writer.field("time", entry.time)
                    writer.field("live", entry.sample.live)
                    writer.field("born", entry.sample.born)
                    writer.field("died", entry.sample.died)
                    writer.field("tokens", entry.sample.tokens)
                    writer.field("overdue", entry.sample.overdue)
                    writer.field("byType", counts)
                    writer.field("rest", entry.sample.live - counts.reduce(0) { $0 + ($1 ?? 0) })
                }
            }
        }
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
