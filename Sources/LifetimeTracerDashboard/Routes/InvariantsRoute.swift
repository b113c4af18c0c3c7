import LifetimeTracer

/// The route of the invariants that the program has set, with the compared counts.
enum InvariantsRoute {
    private enum State: String, CaseIterable {
        case broken, kept
    }

    static func routes(_ context: DashboardContext) -> [Route] {
        let parameters = [
            Route.Parameter(
                "state", .choice(State.allCases.map(\.rawValue)),
                "`broken`: invariants whose counts have disagreed for longer than the grace period; `kept`: all others."
            )
        ]
        return [
            Route(
                .get, "/api/v1/invariants", summary: "The invariants, with the compared counts.",
                parameters: parameters + PageRequest.parameters, "A page of the invariants."
            ) { try invariants($0, context) }
        ]
    }

    private static func invariants(_ request: RouteRequest, _ context: DashboardContext) throws -> WireInvariantList {
        let snapshot = context.registry.snapshot()
        let clock = WireClock(context.registry, now: snapshot.takenAt)
        let isBroken = request.text("state").flatMap(State.init).map { $0 == .broken }
        // An invariant is never removed, so its position identifies it for as long as the program runs.
        let matching = snapshot.invariants.enumerated().filter {
            (isBroken ?? $0.element.isBroken) == $0.element.isBroken
        }
        let page = try PageRequest(request).page(of: Array(matching), inKeyOrder: .ascending) { UInt64($0.offset) }
        return WireInvariantList(page: page.map { WireInvariant($0.element, clock) })
    }
}
