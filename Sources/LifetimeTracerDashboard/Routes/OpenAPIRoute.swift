/// The route of the API's description, which is made from the router's own table.
enum OpenAPIRoute {
    /// Returns the route that describes `routes` and itself.
    ///
    /// - Parameter security: Returns the scheme by which a request shows the access token; `nil` if none is required.
    static func route(
        describing routes: [Route], security: @escaping @Sendable (HTTPRequest) -> AccessTokenScheme?
    ) -> Route {
        // A stand-in describes this route, because a route cannot contain itself.
        let described = routes + [route { _ in WireOpenAPI([], security: nil) }]
        // Traps here, and not at the first request, if two different schemas have the same name.
        _ = WireOpenAPI(described, security: nil)
        return route { WireOpenAPI(described, security: security($0.request)) }
    }

    private static func route(_ handler: @escaping @Sendable (RouteRequest) -> WireOpenAPI) -> Route {
        Route(
            .get, "/api/v1/openapi.json", summary: "The description of the API as OpenAPI 3.1.",
            "The OpenAPI document.", handler: handler)
    }
}
