import LifetimeTracer

/// The route that compares two marks.
enum DiffRoute {
    private enum Sort: String, CaseIterable {
        case id, age, type
    }

    private static let sortParameters = [
        Route.Parameter(
            "sort", .choice(Sort.allCases.map(\.rawValue)), "The sort key of the survivors; default `id`."),
        SortOrder.parameter("The order of the survivors; the default is `desc` for `age`, otherwise `asc`."),
    ]

    static func routes(_ context: DashboardContext) -> [Route] {
        let registry = context.registry
        var from = Route.Parameter(
            "from", .text, "The name of the earlier mark.", isRequired: true, schema: MarkName.schema)
        from.known = { marks(in: registry) }
        let to = Route.Parameter("to", .text, "The name of a mark, or `now`, which is the default.")
        return [
            Route(
                .get, "/api/v1/diff", summary: "The births, deaths and survivors between two marks.",
                parameters: [from, to] + sortParameters + PageRequest.parameters,
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
        let found = page.page(of: sorted(diff.survivors, request)) { $0.id.rawValue }
        let survivors = found.map { WireInstance($0, verdicts: verdicts.of($0), clock) }
        return WireDiff(diff, tokens: TokenChange.all(in: snapshot, diff), survivors: survivors, clock)
    }

    private static func sorted(_ survivors: [InstanceRecord], _ request: RouteRequest) -> [InstanceRecord] {
        let sort = request.text("sort").flatMap(Sort.init) ?? .id
        let order = SortOrder(request) ?? (sort == .age ? .descending : .ascending)
        switch sort {
        case .id: return order == .ascending ? survivors : survivors.reversed()
        // The oldest instance has the lowest id.
        case .age: return order == .descending ? survivors : survivors.reversed()
        case .type:
            return survivors.sorted {
                order.isBefore($0.type.qualified, $1.type.qualified) ?? ($0.id < $1.id)
            }
        }
    }

    private static func marks(in registry: LifetimeRegistry) -> String {
        registry.allMarks().map(\.name).inWords(orElse: "no marks yet; POST /api/v1/marks sets a mark")
    }
}
