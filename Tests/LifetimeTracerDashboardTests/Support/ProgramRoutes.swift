import LifetimeTracerDashboard

/// Routes that a program adds to the dashboard's own.
enum ProgramRoutes {
    private static let schema = JSONSchema.object([
        JSONSchema.Property("name", .string()), JSONSchema.Property("entries", .integer(0...)),
    ]).named("Cache")

    static let all = [
        Route(
            .get, "/caches", summary: "The program's cache.",
            responses: [
                Route.Response(
                    200, "The cache.", schema: schema,
                    links: [
                        Route.Link("empty", to: .post, "/caches/{name}/empty", parameters: [("name", "/name")])
                    ])
            ]
        ) { _ in cache(entries: 3) },
        Route(
            .post, "/caches/{name}/empty", summary: "Empties a cache.",
            parameters: [Route.Parameter("name", .text, "The name of a cache.")],
            responses: [
                Route.Response(200, "The empty cache.", schema: schema), .error(404, "There is no cache of that name."),
            ]
        ) { request in
            guard request.text("name") == "images" else {
                throw RequestError(status: 404, code: "unknownCache", message: "No such cache.", hint: "Try images.")
            }
            return cache(entries: 0)
        },
    ]

    private static func cache(entries: Int) -> HTTPResponse {
        HTTPResponse(
            status: 200, headers: [.init("Content-Type", "application/json; charset=utf-8")],
            body: .bytes(Array(#"{"name":"images","entries":\#(entries)}"#.utf8)))
    }
}
