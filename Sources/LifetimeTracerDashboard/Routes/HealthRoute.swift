import LifetimeTracer

/// The route that reports whether the tracer works.
enum HealthRoute {
    static func routes(_ context: DashboardContext) -> [Route] {
        let size = UsualSize()
        let selfTest = WireHealth.text(of: context.selfTest)
        return [
            Route(
                .get, "/healthz",
                summary:
                    "Whether the tracer works now: its thread, the delivery of verdicts, and the self-test at startup.",
                responses: [
                    .json(200, "The tracer works.", WireHealth.self),
                    .json(503, "The tracer does not work; the response states the reasons.", WireHealth.self),
                ]
            ) { _ in
                let health = TracerHealth(context.registry.activity(), context.selfTest)
                let clock = WireClock(context.registry, now: health.activity.at)
                return .json(
                    WireHealth(health, context.registry.ruleStatus(), clock, selfTest: selfTest),
                    status: health.httpStatus, size: size)
            }
        ]
    }
}
