import LifetimeTracer

/// The route of the traced types, with their counts.
enum TypesRoute {
    private enum Sort: String, CaseIterable {
        case live, name, module, peak, born, died, shallowBytes, oldestAge, overdue, growing

        var usualOrder: SortOrder { self == .name || self == .module ? .ascending : .descending }
    }

    private enum Budget: String, CaseIterable {
        case set, over
    }

    private enum MaximumAge: String, CaseIterable {
        case set
    }

    static func routes(_ context: DashboardContext) -> [Route] {
        let parameters = [
            Route.Parameter("sort", .choice(Sort.allCases.map(\.rawValue)), "The sort key; default `live`."),
            SortOrder.parameter("The default is `asc` for `name` and `module`, otherwise `desc`."),
            Route.Parameter("filter", .text, "A part of the module or type name, ignoring case."),
            Route.Parameter("group", .text, "The name of a group."),
            Route.Parameter(
                "budget", .choice(Budget.allCases.map(\.rawValue)),
                "`set`: only types with a budget; `over`: only types over it."),
            Route.Parameter(
                "maximumAge", .choice(MaximumAge.allCases.map(\.rawValue)), "`set`: only types with a maximum age."),
        ]
        return [
            Route(
                .get, "/api/v1/types", summary: "The types known to the registry, with their counts.",
                parameters: parameters + PageRequest.parameters + [PageRequest.offset],
                "A page of the types.",
                links: [
                    Route.Link("instances", to: .get, "/api/v1/instances", parameters: [("type", "/types/0/type")])
                ],
                errors: [.error(404, "No group has the name.")]
            ) { try types($0, context) }
        ]
    }

    private static func types(_ request: RouteRequest, _ context: DashboardContext) throws -> WireTypeList {
        let overview = context.registry.typeOverview()
        let clock = WireClock(context.registry, now: overview.takenAt)
        let groups = overview.groups
        let group = try request.knownName("group", among: groups.map(\.name))
        let page = try PageRequest(request, hasOffset: true)
        let growing = context.growingTypes
        let matching = matching(request, group: group, overview, context.typeOrder)
        let sorted = sorted(matching, request, overview, growing, context.typeOrder)
        // The key is a hash of the name, because a name can exceed the length limit of a request's target.
        let found = page.page(of: sorted) { StableHash.of(overview.name($0).qualified) }
        let trends = context.typeTrends.all
        let entries = overview.records(found.entries).map {
            WireType($0, trend: trends[$0.type] ?? Trend(), growth: growing[$0.type], clock)
        }
        return WireTypeList(
            page: Page(total: found.total, next: found.next, entries: entries), groups: groups.map(WireTypeGroup.init))
    }

    /// Returns the positions of the types that match a request.
    private static func matching(
        _ request: RouteRequest, group: String?, _ overview: TypeOverview, _ names: TypeOrder
    ) -> [Int] {
        let filter = request.text("filter")?.lowercased() ?? ""
        let budget = request.text("budget").flatMap(Budget.init)
        let needsMaximumAge = request.text("maximumAge") != nil
        guard group != nil || !filter.isEmpty || budget != nil || needsMaximumAge else {
            return Array(0..<overview.count)
        }
        let lowercased = filter.isEmpty ? [] : names.lowercased(overview)
        return (0..<overview.count).filter { type in
            (group == nil || overview.group(type) == group) && (budget == nil || overview.budget(type) != nil)
                && (budget != .over || overview.budget(type).map { overview.live(type) > $0 } ?? false)
                && (!needsMaximumAge || overview.maximumAge(type) != nil)
                && (filter.isEmpty || lowercased[type].contains(filter))
        }
    }

    /// Sorts types by the request's key, and equal ones by name.
    private static func sorted(
        _ types: [Int], _ request: RouteRequest, _ overview: TypeOverview, _ growing: [TypeName: GrowthRecord],
        _ names: TypeOrder
    ) -> [Int] {
        let sort = request.text("sort").flatMap(Sort.init) ?? .live
        let order = SortOrder(request) ?? sort.usualOrder
        let values = values(sort, of: types, overview, growing, names)
        let ranks = names.ranks(by: .qualified, overview)
        let keys = zip(types, values).map { (value: order == .ascending ? $1 : -$1, rank: ranks[$0], type: $0) }
        return keys.sorted { ($0.value, $0.rank) < ($1.value, $1.rank) }.map(\.type)
    }

    private static func values(
        _ sort: Sort, of types: [Int], _ overview: TypeOverview, _ growing: [TypeName: GrowthRecord],
        _ names: TypeOrder
    ) -> [Int] {
        switch sort {
        case .live: types.map(overview.live)
        case .name: names.values(of: types, by: .name, overview)
        case .module: names.values(of: types, by: .module, overview)
        case .peak: types.map(overview.peak)
        case .born: types.map(overview.born)
        case .died: types.map(overview.died)
        case .shallowBytes: types.map { overview.shallowBytes($0) ?? -1 }
        // The earliest birth is the oldest. A type without live instances has no age and counts as younger than any.
        case .oldestAge: overview.births(of: types).map { $0.map { -Int(clamping: $0.nanoseconds) } ?? -.max }
        case .overdue: types.map(overview.overdue)
        // The order of positive numbers is that of their bits.
        case .growing:
            types.map { Int(clamping: max(0, growing[overview.name($0)]?.perMinute ?? 0).bitPattern) }
        }
    }
}
