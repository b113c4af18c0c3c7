import LifetimeTracer

/// The route of the subjects that are growing.
enum GrowthRoute {
    static func routes(_ context: DashboardContext) -> [Route] {
        [
            Route(
                .get, "/api/v1/growth",
                summary: "What is growing: types, tokens by event and owner type, or else the whole process.",
                parameters: PageRequest.parameters, "A page of the growing subjects, fastest first."
            ) { try growth($0, context) }
        ]
    }

    private static func growth(_ request: RouteRequest, _ context: DashboardContext) throws -> WireGrowthList {
        let growing = context.registry.growth()
        let page = try PageRequest(request).page(of: growing) { $0.fingerprint.rawValue }
        return WireGrowthList(page: page.map { WireGrowth($0, context) })
    }
}
