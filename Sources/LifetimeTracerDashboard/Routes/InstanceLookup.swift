import LifetimeTracer
import TracerBase

/// Finds the instance that a path names, or explains its absence.
enum InstanceLookup {
    /// The valid ids of instances.
    static let ids = 1...UInt64(Int.max)

    /// The path parameter that names an instance.
    static let parameter = Route.Parameter("id", .integer(1...Int.max), "The id of an instance.")
    /// The response if that instance is not live.
    static let missing = Route.Response.error(
        404, "No live instance has the id; `diedAt` is the time of death if known.")

    /// Returns the links from an id in a response.
    ///
    /// - Parameter pointer: The JSON pointer to the id.
    static func links(from pointer: String) -> [Route.Link] {
        [
            Route.Link("instance", to: .get, "/api/v1/instances/{id}", parameters: [(parameter.name, pointer)]),
            Route.Link(
                "retainPath", to: .get, "/api/v1/instances/{id}/retain-path", parameters: [(parameter.name, pointer)]),
        ]
    }

    /// Returns the id in the path of a request.
    static func id(in request: RouteRequest) -> InstanceID {
        InstanceID(rawValue: UInt64(request.integer(parameter.name) ?? 0))
    }

    /// Returns the live instance with an id.
    ///
    /// - Throws: An error with status 404 that tells whether and when the instance died.
    static func record(
        of id: InstanceID, in snapshot: Snapshot, _ context: DashboardContext
    ) throws(RequestError) -> InstanceRecord {
        guard let record = snapshot.instance(id) else {
            throw missing(id, snapshot, context, WireClock(context.registry, now: snapshot.takenAt))
        }
        return record
    }

    /// Throws unless the instance is live.
    ///
    /// Takes a snapshot only if the instance is not live.
    static func check(_ id: InstanceID, _ context: DashboardContext) throws(RequestError) {
        guard context.registry.carriedWords(of: [id]).first.flatMap(\.self) == nil else { return }
        _ = try record(of: id, in: context.registry.snapshot(), context)
    }

    private static func missing(
        _ id: InstanceID, _ snapshot: Snapshot, _ context: DashboardContext, _ clock: WireClock
    ) -> RequestError {
        guard id.rawValue >= 1, id <= snapshot.lastID else {
            return RequestError(
                status: 404, code: "unknownInstance", message: "No instance has ever had the id \(id).",
                hint: snapshot.born == 0
                    ? "No instance has been born so far." : "The newest instance has the id \(snapshot.lastID).")
        }
        if let death = context.registry.rememberedDeath(of: id) {
            return .instanceDied(
                "Instance \(id) (\(death.type.qualified.shortened)) died \((clock.now - death.diedAt).inWords) ago.",
                at: clock.timestamp(death.diedAt))
        }
        guard snapshot.unlisted == 0 else {
            return RequestError(
                status: 404, code: "instanceNotListed",
                message: "Instance \(id) is not listed: \(snapshot.unlisted.grouped) live instances are only counted.",
                hint: "Raise the registry's instanceLimit.")
        }
        return .instanceDied("Instance \(id) has died; its death is no longer remembered.", at: nil)
    }
}

extension RequestError {
    fileprivate static func instanceDied(_ message: String, at diedAt: Timestamp?) -> Self {
        var error = Self(
            status: 404, code: "instanceDied", message: message,
            hint: "Only live instances have details. If the instance died late, the overdue list names it: the view "
                + "Overdue of the page, or /api/v1/overdue.")
        error.death = RequestError.Death(at: diedAt)
        return error
    }
}
