import LifetimeTracer

/// A lane of the timeline as it is sent.
struct WireTimelineLane: JSONWritable {
    private let lane: Timeline.Lane
    private let clock: WireClock

    init(_ lane: Timeline.Lane, _ clock: WireClock) {
        self.lane = lane
        self.clock = clock
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("type", lane.type.qualified)
            writer.field("overdue", lane.overdue)
            writer.field("liveSinceBefore", lane.liveSinceBefore)
            writer.field("hidden", lane.hidden)
            writer.field("completeSince", lane.completeSince.map(clock.timestamp))
            writer.key("lifetimes")
            writer.array(lane.lifetimes) { writer, lifetime in
                writer.object { writer in
                    writer.field("id", lifetime.id.rawValue)
                    writer.field("label", lifetime.label)
                    writer.field("bornAt", lifetime.bornAt.map(clock.timestamp))
                    writer.field("overdueAt", lifetime.overdueAt.map(clock.timestamp))
                    writer.field("goneAt", lifetime.goneAt.map(clock.timestamp))
                }
            }
        }
    }
}
