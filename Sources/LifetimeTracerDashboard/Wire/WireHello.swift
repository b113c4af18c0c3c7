import LifetimeTracer

/// What a stream of events begins with.
struct WireHello: JSONWritable {
    private let process: WireProcess
    private let tracingSince: Timestamp
    private let hasScenarios: Bool

    init(_ context: DashboardContext, hasScenarios: Bool) {
        let clock = WireClock(context.registry, now: context.registry.clock.now())
        process = WireProcess(context.process, clock)
        tracingSince = clock.timestamp(context.registry.startedAt)
        self.hasScenarios = hasScenarios
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("version", DashboardContext.wireVersion)
            writer.field("process", process)
            writer.field("tracingSince", tracingSince)
            writer.field("tickSeconds", 1)
            writer.field("scenarios", hasScenarios)
        }
    }
}
