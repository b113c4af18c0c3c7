import LifetimeTracer

/// The routes of the marks.
enum MarksRoutes {
    private static let bodySchema = JSONSchema.object([JSONSchema.Property("name", MarkName.schema)]).named("NewMark")

    /// Returns the links from the name of a mark.
    private static func links(from pointer: String) -> [Route.Link] {
        [
            Route.Link("diff", to: .get, "/api/v1/diff", parameters: [("from", pointer)]),
            Route.Link(
                "instancesBornAfter", to: .get, "/api/v1/instances", parameters: [("bornAfterMark", pointer)]),
            Route.Link("drop", to: .delete, "/api/v1/marks/{name}", parameters: [("name", pointer)]),
        ]
    }

    static func routes(_ context: DashboardContext) -> [Route] {
        [
            Route(
                .get, "/api/v1/marks", summary: "The marks, oldest first.", parameters: PageRequest.parameters,
                "A page of the marks.", links: links(from: "/marks/0/name")
            ) { try marks($0, context.registry) },
            Route(
                .post, "/api/v1/marks", summary: "Sets a mark.", bodySchema: bodySchema,
                answer: 201, "The mark.", links: links(from: "/name"),
                errors: [.error(409, "A mark with the name exists, or the limit of marks is reached.")]
            ) { request in
                let body = try TextBody(request.request.body, keys: ["name"], example: #"{"name":"before"}"#)
                let mark = try context.registry.setMark(body["name"])
                return WireMark(mark, WireClock(context.registry, now: mark.at))
            },
            Route(
                .delete, "/api/v1/marks/{name}", summary: "Drops a mark.",
                parameters: [Route.Parameter("name", .text, "The name of a mark.", schema: MarkName.schema)],
                responses: [
                    Route.Response(204, "The mark was dropped.", contentType: nil),
                    .error(404, "No mark has the name."),
                ]
            ) { request in
                try context.registry.removeMark(request.text("name") ?? "")
                return HTTPResponse(status: 204)
            },
        ]
    }

    private static func marks(_ request: RouteRequest, _ registry: LifetimeRegistry) throws -> WireMarkList {
        let clock = WireClock(registry, now: registry.clock.now())
        let page = try PageRequest(request).page(of: registry.allMarks()) { StableHash.of($0.name) }
        return WireMarkList(page: page.map { WireMark($0, clock) })
    }
}
