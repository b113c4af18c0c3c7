import LifetimeTracer

/// The route of the resources that the process used, beside its live instances.
enum ProcessRoute {
    private static let usualSeconds = 600

    static func routes(_ context: DashboardContext) -> [Route] {
        [
            Route(
                .get, "/api/v1/process",
                summary: "The memory, CPU time, threads and descriptors of the process over time.",
                parameters: [
                    Route.Parameter(
                        "since", .integer(1...3600),
                        "Length of the period up to now, in seconds; default \(usualSeconds).")
                ], "The samples."
            ) { request in
                let now = context.registry.clock.now()
                let start = now + .seconds(-(request.integer("since") ?? usualSeconds))
                let history = context.processHistory
                return WireProcessHistory(
                    history.samples(since: start), finding: history.finding, WireClock(context.registry, now: now))
            }
        ]
    }
}
