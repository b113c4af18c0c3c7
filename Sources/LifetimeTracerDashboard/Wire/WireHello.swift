import LifetimeTracer

/// The wire type of the first event of a stream.
struct WireHello: JSONObject {
    private let process: WireProcess
    private let tracingSince: Timestamp
    private let programRoutes: [String]

    init(_ context: DashboardContext, programRoutes: [String]) {
        let clock = WireClock(context.registry, now: context.registry.clock.now())
        process = WireProcess(context.process, clock)
        tracingSince = clock.timestamp(context.registry.startedAt)
        self.programRoutes = programRoutes
    }

    static let fields = Field.list {
        Field("version", as: DashboardContext.wireVersionSchema) { _ in DashboardContext.wireVersion }
        Field("process") { $0.process }
        Field("tracingSince") { $0.tracingSince }
        Field("tickSeconds") { _ in 1 }
        Field("programRoutes") { $0.programRoutes }
    }
}
