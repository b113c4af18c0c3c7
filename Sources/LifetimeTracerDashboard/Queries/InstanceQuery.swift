import LifetimeTracer

/// A query for live instances: the conditions and the sort order.
struct InstanceQuery {
    private enum Sort: String, CaseIterable {
        case id, age, type

        var usualOrder: SortOrder { self == .age ? .descending : .ascending }
    }

    private static let noVerdict = "none"

    /// The parameters of a query.
    static let parameters = [
        Route.Parameter("type", .text, "The full name of a type, or its name without the module."),
        Route.Parameter(
            "verdict", .choice(InstanceVerdict.allCases.map(\.rawValue) + [noVerdict]),
            "A verdict on the instances; `none` for instances without a verdict."),
        Route.Parameter("label", .text, "A part of the label of the instances."),
        Route.Parameter("olderThan", .number(0...1e9), "Minimum age of the instances in seconds."),
        Route.Parameter("bornAfterMark", .text, "The name of a mark after which the instances were born."),
        Route.Parameter("sort", .choice(Sort.allCases.map(\.rawValue)), "The sort key; default `id`."),
        SortOrder.parameter("The default is `desc` for `age`, otherwise `asc`."),
    ]

    /// The matching instances, in order.
    let matching: InstanceMatches
    /// Whether the matches are sorted by id.
    let keyOrder: PageRequest.KeyOrder
    /// Determines the verdicts on each instance.
    let verdicts: InstanceVerdicts

    /// Returns the order of a query for all instances in the order of their ids; `nil` for any other query.
    static func orderOfAll(_ request: RouteRequest) -> PageRequest.KeyOrder? {
        let conditions = ["type", "verdict", "label", "olderThan", "bornAfterMark"]
        guard conditions.allSatisfy({ request.text($0) == nil }) else { return nil }
        let sort = request.text("sort").flatMap(Sort.init) ?? .id
        return sort == .type ? nil : keyOrder(sort, SortOrder(request) ?? sort.usualOrder)
    }

    /// Ids rise with births, so the lowest id belongs to the oldest instance.
    private static func keyOrder(_ sort: Sort, _ order: SortOrder) -> PageRequest.KeyOrder {
        (order == .ascending) == (sort == .id) ? .ascending : .descending
    }

    /// Reads a query from a request and runs it.
    ///
    /// - Throws: ``RequestError`` for a type that has never been seen, `TracerError` for an unknown mark.
    init(_ request: RouteRequest, _ snapshot: Snapshot, _ registry: LifetimeRegistry) throws {
        verdicts = InstanceVerdicts(snapshot)
        let type = try request.knownName(
            "type", among: snapshot.liveByType.flatMap { [$0.type.qualified, $0.type.name] })
        let condition = try Self.condition(request, snapshot, registry, verdicts)
        let sort = request.text("sort").flatMap(Sort.init) ?? .id
        let order = SortOrder(request) ?? sort.usualOrder
        let all =
            if let type {
                InstanceMatches(snapshot.instances.ofTypes { $0.name == type || $0.qualified == type })
            } else {
                InstanceMatches(snapshot.instances)
            }
        let found = condition.map(all.only) ?? all
        switch sort {
        case .id, .age:
            keyOrder = Self.keyOrder(sort, order)
            matching = keyOrder == .ascending ? found : found.backwards()
        case .type:
            keyOrder = .none
            matching = found.byType(order)
        }
    }

    /// Returns the condition of the query besides the type; `nil` if it has none.
    private static func condition(
        _ request: RouteRequest, _ snapshot: Snapshot, _ registry: LifetimeRegistry, _ verdicts: InstanceVerdicts
    ) throws -> ((InstanceRecord) -> Bool)? {
        let verdict = request.text("verdict")
        let label = request.text("label")
        let bornBefore = request.number("olderThan").map { snapshot.takenAt + (.zero - .seconds($0)) }
        let lastID = try request.text("bornAfterMark").map { try registry.mark(named: $0).lastID }
        guard verdict != nil || label != nil || bornBefore != nil || lastID != nil else { return nil }
        return { instance in
            if let lastID, instance.id <= lastID { return false }
            if let label, instance.label?.contains(label) != true { return false }
            if let bornBefore, instance.bornAt >= bornBefore { return false }
            guard let verdict else { return true }
            let found = verdicts.of(instance)
            guard let wanted = InstanceVerdict(rawValue: verdict) else { return found.isEmpty }
            return found.contains(InstanceVerdictSet(wanted))
        }
    }
}
