import LifetimeTracer

/// The route of the overdue and late instances.
enum OverdueRoute {
    static func routes(_ context: DashboardContext) -> [Route] {
        [
            Route(
                .get, "/api/v1/overdue",
                summary:
                    "The overdue and late instances by fingerprint, culprits first, with their known holders.",
                parameters: PageRequest.parameters, "A page of the groups.",
                links: InstanceLookup.links(from: "/groups/0/instances/0/id")
            ) { try overdue($0, context) }
        ]
    }

    private static func overdue(_ request: RouteRequest, _ context: DashboardContext) throws -> WireOverdueList {
        let snapshot = context.registry.snapshot()
        let clock = WireClock(context.registry, now: snapshot.takenAt)
        let groups = OverdueGroups(
            snapshot, findings: context.retainSearches.findings, silenced: context.silencedLeaks.all
        ).groups
        let tokens = snapshot.tokens.lazy.compactMap { $0.owner?.id }.map { ($0, 1) }
        let tokensInForce = Dictionary(tokens, uniquingKeysWith: +)
        let page = try PageRequest(request).page(of: groups) { $0.key }
        var stacks = NamedStacks()
        return WireOverdueList(
            page: page.map { WireOverdueGroup($0, tokensInForce: tokensInForce, &stacks, clock) },
            overdue: groups.reduce(0) { $0 + $1.overdue }, late: groups.reduce(0) { $0 + $1.late },
            known: groups.reduce(0) { $0 + $1.knownCount })
    }
}
