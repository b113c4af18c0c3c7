/// The description of the API, from the router's own table.
enum OpenAPIRoute {
    /// The route that describes `routes` and itself.
    ///
    /// - Parameter security: How a request would show the access token; `nil` where none is needed.
    static func route(
        describing routes: [Route], security: @escaping @Sendable (HTTPRequest) -> AccessTokenScheme?
    ) -> Route {
        // Described by a route like itself, because a route cannot hold itself.
        let described = routes + [route { _ in WireOpenAPI([], security: nil) }]
        // Two different schemas of one name are found when the dashboard is made, and not at the first request.
        _ = WireOpenAPI(described, security: nil)
        return route { WireOpenAPI(described, security: security($0.request)) }
    }

    private static func route(_ handler: @escaping @Sendable (RouteRequest) -> WireOpenAPI) -> Route {
        Route(
            .get, "/api/v1/openapi.json", summary: "These routes as OpenAPI 3.1.", "The document.", handler: handler)
    }
}
