import LifetimeTracer

/// The route of the summary.
enum SummaryRoute {
    static func routes(_ context: DashboardContext) -> [Route] {
        [
            Route(
                .get, "/api/v1/summary", summary: "The process, whether it is traced, and the numbers at a glance.",
                "The numbers."
            ) { _ in WireSummary(context.registry.summary(topTypes: 0), context) }
        ]
    }
}
