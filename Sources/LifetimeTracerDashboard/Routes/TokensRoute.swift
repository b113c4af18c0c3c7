import LifetimeTracer

/// The route of the observer tokens, one by one or in groups.
enum TokensRoute {
    fileprivate enum State: String, CaseIterable {
        case inForce, orphaned
    }

    private enum Sort: String, CaseIterable {
        case usual, orphaned
    }

    static func routes(_ context: DashboardContext) -> [Route] {
        let parameters = [
            Route.Parameter("kind", .text, "The kind of registration, such as `notification`, `hub` or `timer`."),
            Route.Parameter("event", .text, "The observed event."),
            Route.Parameter("ownerType", .text, "The full name of the type of the owners."),
            Route.Parameter(
                "state", .choice(State.allCases.map(\.rawValue)),
                "`orphaned`: the owner has died; `inForce`: the owner is live. With `groupBy`: groups with such tokens."
            ),
            Route.Parameter(
                "groupBy", .choice(TokenGrouping.Key.allCases.map(\.rawValue)),
                "Returns counts of all registrations so far instead of the tokens in force."),
            Route.Parameter(
                "sort", .choice(Sort.allCases.map(\.rawValue)),
                "`orphaned`: orphaned tokens first; `usual`: by id, or groups by tokens in force, most first."),
        ]
        return [
            Route(
                .get, "/api/v1/tokens", summary: "The observer tokens in force, or counts of all tokens so far.",
                parameters: parameters + PageRequest.parameters, "A page of the tokens or groups.",
                links: InstanceLookup.links(from: "/tokens/0/owner/id"),
                errors: [.error(404, "The kind, event or owner type is unknown.")]
            ) { try tokens($0, context) }
        ]
    }

    private static func tokens(_ request: RouteRequest, _ context: DashboardContext) throws -> WireTokenList {
        let snapshot = context.registry.snapshot()
        let isIncluded = try filter(request, snapshot)
        let page = try PageRequest(request)
        let state = request.text("state").flatMap(State.init)
        let putsOrphanedFirst = request.text("sort") == Sort.orphaned.rawValue
        if let key = request.text("groupBy").flatMap(TokenGrouping.Key.init) {
            let groups = TokenGrouping(snapshot, by: key, orphanedFirst: putsOrphanedFirst, where: isIncluded).groups
            let found = page.page(of: groups.filter { $0.hasTokens(state) }) { StableHash.of($0.name) }
            return key == .event ? .byEvent(found) : .byOwnerType(found)
        }
        let clock = WireClock(context.registry, now: snapshot.takenAt)
        let isOrphaned = state.map { $0 == .orphaned }
        let matching = snapshot.tokens.filter { token in
            isIncluded(token.kind, token.event, token.ownerType) && (isOrphaned ?? token.isOrphaned) == token.isOrphaned
        }
        let ordered =
            putsOrphanedFirst ? matching.filter(\.isOrphaned) + matching.filter { !$0.isOrphaned } : matching
        let found = page.page(of: ordered, inKeyOrder: putsOrphanedFirst ? .none : .ascending) { $0.id.rawValue }
        return .each(found.map { WireToken($0, clock) })
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
}

extension TokenGrouping.Group {
    /// Returns whether the group counts a token in force in this state; without a state, always `true`.
    fileprivate func hasTokens(_ state: TokensRoute.State?) -> Bool {
        switch state {
        case .none: true
        case .orphaned: orphaned > 0
        case .inForce: inForce > orphaned
        }
    }
}
