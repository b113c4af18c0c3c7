import LifetimeTracer

/// The route of the overdue and late instances.
enum OverdueRoute {
    static func routes(_ context: DashboardContext) -> [Route] {
        [
            Route(
                .get, "/api/v1/overdue",
                summary:
                    "The overdue and late instances by fingerprint, culprits first, with their known holders.",
                parameters: PageRequest.parameters + [
                    Route.Parameter(
                        "instances", .integer(0...OverdueGroups.shownMembers),
                        "Maximum number of instances in each group; default \(OverdueGroups.shownMembers).")
                ], "A page of the groups.",
                links: InstanceLookup.links(from: "/groups/0/instances/0/id")
            ) { try overdue($0, context) }
        ]
    }

    private static func overdue(_ request: RouteRequest, _ context: DashboardContext) throws -> WireOverdueList {
        let snapshot = context.registry.snapshotOfOverdue()
        let clock = WireClock(context.registry, now: snapshot.takenAt)
        let groups = OverdueGroups(
            snapshot, findings: context.retainSearches.findings, acknowledged: context.acknowledgedLeaks.all
        ).groups
        let page = try PageRequest(request).page(of: groups) { $0.key }
        let shown = request.integer("instances") ?? OverdueGroups.shownMembers
        let tokensInForce = context.registry.tokensInForce(
            of: page.entries.flatMap { $0.members.prefix(shown).map(\.deadline.instance) })
        var stacks = NamedStacks()
        return WireOverdueList(
            page: page.map { WireOverdueGroup($0, shown: shown, tokensInForce: tokensInForce, &stacks, clock) },
            overdue: groups.reduce(0) { $0 + $1.overdue }, late: groups.reduce(0) { $0 + $1.late },
            known: groups.reduce(0) { $0 + $1.knownCount })
    }
}
