import LifetimeTracer

/// Named points in time.
enum MarksRoutes {
    private static let bodySchema = """
        {"type":"object","properties":{"name":{"type":"string","minLength":1,"maxLength":100}},"required":["name"],\
        "additionalProperties":false}
        """

    static func routes(_ context: DashboardContext) -> [Route] {
        [
            Route(.get, "/api/v1/marks", summary: "The marks, oldest first.", parameters: PageRequest.parameters) {
                try marks($0, context.registry)
            },
            Route(
                .post, "/api/v1/marks", summary: "Sets a mark.",
                responses: [
                    Route.Response(201, "The mark."),
                    Route.Response(409, "There is one of that name already, or there are too many."),
                ], bodySchema: bodySchema
            ) { request in
                let body = try TextBody(request.request.body, keys: ["name"], example: #"{"name":"before"}"#)
                let mark = try context.registry.setMark(body["name"])
                return .json(WireMark(mark, WireClock(context.registry, now: mark.at)), status: 201)
            },
            Route(
                .delete, "/api/v1/marks/{name}", summary: "Drops a mark.",
                parameters: [Route.Parameter("name", .text, "The name of a mark.")],
                responses: [
                    Route.Response(204, "It is gone.", contentType: nil), Route.Response(404, "There is none."),
                ]
            ) { request in
                try context.registry.removeMark(request.text("name") ?? "")
                return HTTPResponse(status: 204)
            },
        ]
    }

    private static func marks(_ request: RouteRequest, _ registry: LifetimeRegistry) throws -> HTTPResponse {
        let clock = WireClock(registry, now: registry.clock.now())
        let page = try PageRequest(request).page(of: registry.allMarks()) { StableHash.of($0.name) }
        return .json(WireList("marks", page) { WireMark($0, clock) })
    }
}
