import LifetimeTracer

/// The live instances, as a list and one by one.
enum InstancesRoutes {
    private static let id = Route.Parameter("id", .integer(0...Int.max), "The id of an instance.")

    static func routes(_ context: DashboardContext) -> [Route] {
        [
            Route(
                .get, "/api/v1/instances", summary: "The live instances.",
                parameters: InstanceQuery.parameters + PageRequest.parameters
            ) { try instances($0, context) },
            Route(
                .get, "/api/v1/instances/{id}",
                summary: "One live instance with all that is known of it, its creation stack too.", parameters: [id],
                responses: [.json, Route.Response(404, "There is none of that id, or it has died: when, if known.")]
            ) { try instance($0, context) },
            Route(
                .get, "/api/v1/instances/{id}/retain-path", summary: "Who holds an instance.", parameters: [id],
                responses: [
                    Route.Response(404, "There is none of that id, or it has died."),
                    Route.Response(501, "Retain paths cannot be had; the error says why."),
                ]
            ) { request in
                _ = try found(request, context.registry.snapshot(), context)
                throw RequestError.retainPathsNotAvailable
            },
        ]
    }

    private static func instances(_ request: RouteRequest, _ context: DashboardContext) throws -> HTTPResponse {
        let snapshot = context.registry.snapshot()
        let clock = WireClock(context.registry, now: snapshot.takenAt)
        let page = try PageRequest(request)
        let query = try InstanceQuery(request, snapshot, context.registry)
        let found = page.page(of: query.matching, inKeyOrder: query.keyOrder) { $0.id.rawValue }
        return .json(
            WireList("instances", found) { WireInstance($0, verdicts: query.verdicts.of($0), clock) })
    }

    private static func instance(_ request: RouteRequest, _ context: DashboardContext) throws -> HTTPResponse {
        let snapshot = context.registry.snapshot()
        let clock = WireClock(context.registry, now: snapshot.takenAt)
        let record = try found(request, snapshot, context)
        let children = context.registry.children(of: record.id)
        return .json(WireInstanceDetail(record, in: snapshot, children: children, clock))
    }

    private static func found(
        _ request: RouteRequest, _ snapshot: Snapshot, _ context: DashboardContext
    ) throws(RequestError) -> InstanceRecord {
        let id = InstanceID(rawValue: UInt64(request.integer("id") ?? 0))
        guard let record = snapshot.instance(id) else {
            throw missing(id, snapshot, context, WireClock(context.registry, now: snapshot.takenAt))
        }
        return record
    }

    private static func missing(
        _ id: InstanceID, _ snapshot: Snapshot, _ context: DashboardContext, _ clock: WireClock
    ) -> RequestError {
        // Ids rise with births, so the number of births so far is the highest id.
        guard (1...max(1, snapshot.born)).contains(id.rawValue), snapshot.born > 0 else {
            return RequestError(
                status: 404, code: "unknownInstance", message: "There has never been an instance \(id).",
                hint: snapshot.born == 0
                    ? "Nothing has been born so far." : "The newest one so far is \(snapshot.born).")
        }
        if let death = context.registry.rememberedDeath(of: id) {
            return .instanceDied(
                "Instance \(id) (\(death.type.qualified.shortened)) died \((clock.now - death.diedAt).inWords) ago.",
                at: clock.timestamp(death.diedAt))
        }
        guard snapshot.unlisted == 0 else {
            return RequestError(
                status: 404, code: "instanceNotListed",
                message: "Instance \(id) is not listed; \(snapshot.unlisted) live ones are counted only.",
                hint: "Raise the registry's instanceLimit.")
        }
        return .instanceDied("Instance \(id) has died; its death is no longer remembered.", at: nil)
    }
}

extension RequestError {
    fileprivate static func instanceDied(_ message: String, at diedAt: Timestamp?) -> Self {
        var error = Self(
            status: 404, code: "instanceDied", message: message,
            hint: "Only live instances are listed; if it was late, it is among the overdue and late ones.")
        error.details = [("diedAt", diedAt)]
        return error
    }

    fileprivate static var retainPathsNotAvailable: Self {
        Self(
            status: 501, code: "notAvailable", message: "Retain paths are not built in yet.",
            hint: "Look at the instance's owner, parent and tokens: /api/v1/instances/{id}.")
    }
}
