import LifetimeTracer

/// The numbers of a moment as a stream of events sends them.
struct WireTick: JSONWritable {
    /// The types that are named.
    static let topTypes = 12

    private let summary: WireSummary
    private let top: [(type: TypeName, live: UInt64)]

    init(_ context: DashboardContext) {
        let summary = context.registry.summary(topTypes: Self.topTypes)
        self.summary = WireSummary(summary, context)
        top = summary.top
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("summary", summary)
            writer.key("top")
            writer.array(top) { writer, entry in
                writer.object { writer in
                    writer.field("type", entry.type.qualified)
                    writer.field("live", entry.live)
                }
            }
        }
    }
}
