import LifetimeTracer

/// The route of the summary.
enum SummaryRoute {
    static func routes(_ context: DashboardContext) -> [Route] {
        [
            Route(
                .get, "/api/v1/summary", summary: "The process, whether tracing is on, and the most important counts.",
                "The summary."
            ) { _ in WireSummary(context.registry.summary(topTypes: 0), context) }
        ]
    }
}
