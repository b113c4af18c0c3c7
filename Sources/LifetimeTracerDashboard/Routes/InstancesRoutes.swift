import LifetimeTracer

/// The routes of the live instances: the list, and one instance in detail.
enum InstancesRoutes {
    static func routes(_ context: DashboardContext) -> [Route] {
        [
            Route(
                .get, "/api/v1/instances", summary: "The live instances.",
                parameters: InstanceQuery.parameters + PageRequest.parameters,
                "A page of the instances.", links: InstanceLookup.links(from: "/instances/0/id"),
                errors: [.error(404, "No mark has the name, or the type is unknown.")]
            ) { try instances($0, context) },
            Route(
                .get, "/api/v1/instances/{id}",
                summary: "One live instance with all known details, including its creation stack.",
                parameters: [InstanceLookup.parameter],
                "The instance.",
                links: [
                    Route.Link(
                        "retainPath", to: .get, "/api/v1/instances/{id}/retain-path", parameters: [("id", "/id")])
                ],
                errors: [InstanceLookup.missing]
            ) { try instance($0, context) },
        ]
    }

    private static func instances(_ request: RouteRequest, _ context: DashboardContext) throws -> WireInstanceList {
        let page = try PageRequest(request)
        if let order = InstanceQuery.orderOfAll(request) { return instances(page, in: order, context) }
        let snapshot = context.registry.snapshot()
        let clock = WireClock(context.registry, now: snapshot.takenAt)
        let query = try InstanceQuery(request, snapshot, context.registry)
        let found = page.page(of: query.matching, inKeyOrder: query.keyOrder) { $0.id.rawValue }
        return WireInstanceList(page: found, verdicts: query.verdicts, clock)
    }

    /// Returns a page of all instances in the order of their ids, without a list of all.
    private static func instances(
        _ page: PageRequest, in order: PageRequest.KeyOrder, _ context: DashboardContext
    ) -> WireInstanceList {
        let extract = context.registry.instances(in: page.range(in: order))
        let clock = WireClock(context.registry, now: extract.takenAt)
        let verdicts = InstanceVerdicts(typesOverBudget: extract.typesOverBudget)
        return WireInstanceList(
            page: page.page(of: extract, in: order), of: extract.instances, verdicts: verdicts, clock)
    }

    private static func instance(_ request: RouteRequest, _ context: DashboardContext) throws -> WireInstanceDetail {
        let snapshot = context.registry.snapshot()
        let clock = WireClock(context.registry, now: snapshot.takenAt)
        let record = try InstanceLookup.record(of: InstanceLookup.id(in: request), in: snapshot, context)
        let children = context.registry.children(of: record.id)
        return WireInstanceDetail(
            record, in: snapshot, children: children, finding: context.retainSearches.findings[record.id], clock)
    }
}
