import LifetimeTracer

/// Whether the tracer works at all.
enum HealthRoute {
    static func routes(_ context: DashboardContext) -> [Route] {
        [
            Route(
                .get, "/healthz", summary: "The outcome of the self-test at the start.",
                responses: [
                    .json(200, "It holds.", WireHealth.self),
                    .json(503, "It does not; the answer says what.", WireHealth.self),
                ]
            ) { _ in
                .json(WireHealth(context.selfTest), status: context.selfTest.passed ? 200 : 503)
            }
        ]
    }
}
