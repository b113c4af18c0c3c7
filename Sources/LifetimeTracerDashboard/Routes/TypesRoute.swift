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
        let snapshot = context.registry.snapshot()
        let clock = WireClock(context.registry, now: snapshot.takenAt)
        let group = try request.knownName("group", among: snapshot.groups.map(\.name))
        let filter = request.text("filter")?.lowercased() ?? ""
        let budget = request.text("budget").flatMap(Budget.init)
        let needsMaximumAge = request.text("maximumAge") != nil
        let page = try PageRequest(request, hasOffset: true)
        let matching = snapshot.types.filter { record in
            (group == nil || record.group == group) && (budget == nil || record.budget != nil)
                && (budget != .over || record.isOverBudget) && (!needsMaximumAge || record.maximumAge != nil)
                && (filter.isEmpty || record.type.qualified.lowercased().contains(filter))
        }
        let trends = context.typeTrends.all
        let growing = context.growingTypes
        let sort = request.text("sort").flatMap(Sort.init) ?? .live
        let order = SortOrder(request) ?? sort.usualOrder
        let sorted = matching.sorted { left, right in
            let isBefore =
                sort == .growing
                ? order.isBefore(growing[left.type]?.perMinute ?? 0, growing[right.type]?.perMinute ?? 0)
                : isBefore(left, right, by: sort, order)
            return isBefore ?? (left.type.qualified < right.type.qualified)
        }
        // The key is a hash of the name, because a name can exceed the length limit of a request's target.
        let found = page.page(of: sorted) { StableHash.of($0.type.qualified) }
        return WireTypeList(
            page: found.map {
                WireType($0, trend: trends[$0.type] ?? Trend(), growth: growing[$0.type], clock)
            },
            groups: snapshot.groups.map(WireTypeGroup.init))
    }

    private static func isBefore(
        _ left: TypeRecord, _ right: TypeRecord, by sort: Sort, _ order: SortOrder
    ) -> Bool? {
        switch sort {
        case .live: order.isBefore(left.live, right.live)
        case .name: order.isBefore(left.type.name, right.type.name)
        case .module: order.isBefore(left.type.module, right.type.module)
        case .peak: order.isBefore(left.peak, right.peak)
        case .born: order.isBefore(left.born, right.born)
        case .died: order.isBefore(left.died, right.died)
        case .shallowBytes: order.isBefore(left.shallowBytes ?? -1, right.shallowBytes ?? -1)
        // The earliest birth is the oldest. A type without live instances has no age and counts as younger than any.
        case .oldestAge: order.isBefore(right.birthOfOldest, left.birthOfOldest)
        case .overdue: order.isBefore(left.overdue, right.overdue)
        // The record of a type does not contain its growth.
        case .growing: nil
        }
    }
}

extension TypeRecord {
    fileprivate var birthOfOldest: UInt64 { oldest?.nanoseconds ?? .max }
}
