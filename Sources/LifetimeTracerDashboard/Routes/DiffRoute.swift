import LifetimeTracer

/// The route that compares two marks.
enum DiffRoute {
    static func routes(_ context: DashboardContext) -> [Route] {
        let registry = context.registry
        var from = Route.Parameter(
            "from", .text, "The name of the earlier mark.", isRequired: true, schema: MarkName.schema)
        from.known = { marks(in: registry) }
        let to = Route.Parameter("to", .text, "The name of a mark, or `now`, which is the default.")
        return [
            Route(
                .get, "/api/v1/diff", summary: "The births, deaths and survivors between two marks.",
                parameters: [from, to] + PageRequest.parameters,
                "The comparison.", links: InstanceLookup.links(from: "/survivors/0/id"),
                errors: [.error(404, "No mark has the name.")]
            ) { try diff($0, registry) }
        ]
    }

    private static func diff(_ request: RouteRequest, _ registry: LifetimeRegistry) throws -> WireDiff {
        let page = try PageRequest(request)
        let from = request.text("from") ?? ""
        // `now` stands for the present in `to`; no mark can have that name.
        guard from != "now" else {
            throw RequestError.invalidParameter(
                "from", from,
                accepted: "the name of a mark; only `to` accepts `now`. Existing marks: \(marks(in: registry))")
        }
        let diff = try registry.diff(from: from, to: request.text("to"))
        let snapshot = registry.snapshot()
        let clock = WireClock(registry, now: snapshot.takenAt)
        let verdicts = InstanceVerdicts(snapshot)
        let found = page.page(of: diff.survivors, inKeyOrder: .ascending) { $0.id.rawValue }
        let survivors = found.map { WireInstance($0, verdicts: verdicts.of($0), clock) }
        return WireDiff(diff, survivors: survivors, clock)
    }

    private static func marks(in registry: LifetimeRegistry) -> String {
        registry.allMarks().map(\.name).inWords(orElse: "no marks yet; POST /api/v1/marks sets a mark")
    }
}
