import LifetimeTracer

/// The observer tokens, one by one or summed up.
enum TokensRoute {
    private enum State: String, CaseIterable {
        case inForce, orphaned
    }

    private enum Sort: String, CaseIterable {
        case usual, orphaned
    }

    static func routes(_ context: DashboardContext) -> [Route] {
        let parameters = [
            Route.Parameter("kind", .text, "What sort of registration: `notification`, `hub`, `timer` and so on."),
            Route.Parameter("event", .text, "What is observed."),
            Route.Parameter("ownerType", .text, "The full name of the type of their owners."),
            Route.Parameter("state", .choice(State.allCases.map(\.rawValue)), "`orphaned`: their owners have gone."),
            Route.Parameter(
                "groupBy", .choice(TokenGrouping.Key.allCases.map(\.rawValue)),
                "Sums up all registrations so far instead of listing those in force."),
            Route.Parameter(
                "sort", .choice(Sort.allCases.map(\.rawValue)),
                "`orphaned`: those with orphaned ones first; else by id, or the groups with most in force first."),
        ]
        return [
            Route(
                .get, "/api/v1/tokens", summary: "The observer tokens in force, or counts of all so far.",
                parameters: parameters + PageRequest.parameters
            ) { try tokens($0, context) }
        ]
    }

    private static func tokens(_ request: RouteRequest, _ context: DashboardContext) throws -> HTTPResponse {
        let snapshot = context.registry.snapshot()
        let isIncluded = try filter(request, snapshot)
        let page = try PageRequest(request)
        let putsOrphanedFirst = request.text("sort") == Sort.orphaned.rawValue
        if let key = request.text("groupBy").flatMap(TokenGrouping.Key.init) {
            if let state = request.text("state") { throw RequestError.groupedState(state) }
            let grouping = TokenGrouping(
                snapshot, by: key, orphanedFirst: putsOrphanedFirst, where: isIncluded)
            return .json(grouped(page, grouping, key))
        }
        let clock = WireClock(context.registry, now: snapshot.takenAt)
        let isOrphaned = request.text("state").flatMap(State.init).map { $0 == .orphaned }
        let matching = snapshot.tokens.filter { token in
            isIncluded(token.kind, token.event, token.ownerType) && (isOrphaned ?? token.isOrphaned) == token.isOrphaned
        }
        let ordered =
            putsOrphanedFirst ? matching.filter(\.isOrphaned) + matching.filter { !$0.isOrphaned } : matching
        let found = page.page(of: ordered, inKeyOrder: putsOrphanedFirst ? .none : .ascending) { $0.id.rawValue }
        return .json(WireList("tokens", found) { WireToken($0, clock) })
    }

    private static func filter(
        _ request: RouteRequest, _ snapshot: Snapshot
    ) throws(RequestError) -> (TokenKind, String, TypeName?) -> Bool {
        let groups = snapshot.tokenGroups
        let usual: [TokenKind] = [.notification, .hub, .timer, .request, .subscription]
        let kind = try request.knownName("kind", among: groups.map(\.kind.rawValue) + usual.map(\.rawValue))
        let event = try request.knownName("event", among: groups.map(\.event))
        let ownerType = try request.knownName("ownerType", among: groups.compactMap { $0.ownerType?.qualified })
        return { tokenKind, tokenEvent, tokenOwnerType in
            (kind == nil || tokenKind.rawValue == kind) && (event == nil || tokenEvent == event)
                && (ownerType == nil || tokenOwnerType?.qualified == ownerType)
        }
    }

    private static func grouped(
        _ page: PageRequest, _ grouping: TokenGrouping, _ key: TokenGrouping.Key
    ) -> WireList<WireTokenGroup> {
        var list = WireList("groups", page.page(of: grouping.groups) { StableHash.of($0.name) }) {
            WireTokenGroup($0, key: key.rawValue)
        }
        list.beside = [("groupBy", key.rawValue)]
        return list
    }
}

extension RequestError {
    fileprivate static func groupedState(_ state: String) -> Self {
        Self(
            status: 400, code: "invalidParameter",
            message: "The parameter \"state\" cannot be \"\(state)\" together with \"groupBy\".",
            hint: "Leave one of the two out: groups count tokens of all states.")
    }
}
