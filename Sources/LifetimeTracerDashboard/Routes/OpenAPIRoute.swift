/// The description of the API, from the router's own table.
enum OpenAPIRoute {
    /// The route that describes `routes` and itself.
    static func route(describing routes: [Route]) -> Route {
        let summary = "These routes as OpenAPI 3.1."
        let path = "/api/v1/openapi.json"
        // Describes a route like itself, because it cannot hold itself.
        let itself = Route(.get, path, summary: summary) { _ in HTTPResponse(status: 200) }
        let document = WireOpenAPI(routes + [itself])
        return Route(.get, path, summary: summary) { _ in .json(document) }
    }
}
