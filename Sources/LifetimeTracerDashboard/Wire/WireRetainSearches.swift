import LifetimeTracer

/// How far the searches for retain paths are, as it is sent.
struct WireRetainSearches: JSONWritable {
    private let overview: RetainSearches.Overview
    private let startedAt: Timestamp?
    private let age: DecimalNumber?

    init(_ overview: RetainSearches.Overview, _ clock: WireClock) {
        self.overview = overview
        startedAt = (overview.running?.startedAt).map(clock.timestamp)
        age = (overview.running?.startedAt).map(clock.age)
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("running")
            if let running = overview.running {
                writer.object { writer in
                    writer.field("instances", running.instances)
                    writer.field("progress", running.progress?.rawValue)
                    writer.field("startedAt", startedAt)
                    writer.field("ageSeconds", age)
                }
            } else {
                writer.raw("null".utf8)
            }
            writer.field("waiting", overview.waiting)
            writer.field("limit", RetainSearches.jobLimit)
            writer.field("dropped", overview.dropped)
        }
    }
}
