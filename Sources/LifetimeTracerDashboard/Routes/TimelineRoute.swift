import LifetimeTracer

/// The route of the lifetimes of the last minutes.
enum TimelineRoute {
    private static let usualSeconds = 120

    static func routes(_ context: DashboardContext) -> [Route] {
        let parameters = [
            Route.Parameter(
                "since", .integer(1...3600), "Length of the period up to now, in seconds; default \(usualSeconds)."),
            Route.Parameter("filter", .text, "A part of the module or type name, ignoring case."),
        ]
        return [
            Route(
                .get, "/api/v1/timeline", summary: "The lifetimes of the last minutes, in lanes by type.",
                parameters: parameters + PageRequest.parameters, "A page of the lanes.",
                links: InstanceLookup.links(from: "/lanes/0/lifetimes/0/id")
            ) { try timeline($0, context) }
        ]
    }

    private static func timeline(_ request: RouteRequest, _ context: DashboardContext) throws -> WireTimeline {
        // Deaths are read first. An instance that died after the snapshot would otherwise be counted as live as well.
        let deaths = context.registry.rememberedDeaths()
        let snapshot = context.registry.snapshot()
        let clock = WireClock(context.registry, now: snapshot.takenAt)
        let start = snapshot.takenAt + .seconds(-(request.integer("since") ?? usualSeconds))
        let filter = request.text("filter")?.lowercased() ?? ""
        let timeline = Timeline(snapshot, deaths, since: start) {
            filter.isEmpty || $0.qualified.lowercased().contains(filter)
        }
        let page = try PageRequest(request).page(of: timeline.lanes) { StableHash.of($0.type.qualified) }
        let growing = context.growingTypes
        return WireTimeline(
            page: page.map { WireTimelineLane($0, growth: growing[$0.type], clock) },
            from: clock.timestamp(timeline.start), to: clock.timestamp(snapshot.takenAt),
            deathsSince: timeline.deathsSince.map(clock.timestamp), coversAllDeaths: timeline.coversAllDeaths,
            totals: WireTimelineTotals(timeline.lanes))
    }
}
