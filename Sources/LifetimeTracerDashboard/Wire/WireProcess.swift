import LifetimeTracer

/// The traced process as it is sent.
struct WireProcess: JSONWritable {
    private let facts: ProcessFacts
    private let clock: WireClock

    init(_ facts: ProcessFacts, _ clock: WireClock) {
        self.facts = facts
        self.clock = clock
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("pid", facts.pid)
            writer.field("name", facts.name)
            writer.field("host", facts.host)
            writer.field("startedAt", Timestamp(facts.startedAt))
            writer.field("uptimeSeconds", clock.age(facts.startedAt))
            writer.field("swiftVersion", facts.swiftVersion)
            writer.field("libraryVersion", facts.libraryVersion)
        }
    }
}
