import LifetimeTracer

/// The live instances, as a list and one by one.
enum InstancesRoutes {
    static func routes(_ context: DashboardContext) -> [Route] {
        [
            Route(
                .get, "/api/v1/instances", summary: "The live instances.",
                parameters: InstanceQuery.parameters + PageRequest.parameters
            ) { try instances($0, context) },
            Route(
                .get, "/api/v1/instances/{id}",
                summary: "One live instance with all that is known of it, its creation stack too.",
                parameters: [InstanceLookup.parameter],
                responses: [.json, Route.Response(404, "There is none of that id, or it has died: when, if known.")]
            ) { try instance($0, context) },
        ]
    }

    private static func instances(_ request: RouteRequest, _ context: DashboardContext) throws -> HTTPResponse {
        let snapshot = context.registry.snapshot()
        let clock = WireClock(context.registry, now: snapshot.takenAt)
        let page = try PageRequest(request)
        let query = try InstanceQuery(request, snapshot, context.registry)
        let found = page.page(of: query.matching, inKeyOrder: query.keyOrder) { $0.id.rawValue }
        return .json(
            WireList("instances", found) { WireInstance($0, verdicts: query.verdicts.of($0), clock) })
    }

    private static func instance(_ request: RouteRequest, _ context: DashboardContext) throws -> HTTPResponse {
        let snapshot = context.registry.snapshot()
        let clock = WireClock(context.registry, now: snapshot.takenAt)
        let record = try InstanceLookup.record(of: InstanceLookup.id(in: request), in: snapshot, context)
        let children = context.registry.children(of: record.id)
        return .json(WireInstanceDetail(record, in: snapshot, children: children, clock))
    }
}
