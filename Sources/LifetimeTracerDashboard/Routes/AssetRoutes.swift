/// The files of the page, served from memory.
enum AssetRoutes {
    /// Returns a route for each file, and the route `/` for `/index.html`.
    static func routes(_ assets: [WebAsset] = WebAsset.all) -> [Route] {
        assets.flatMap { asset in
            asset.path == "/index.html" ? [route("/", asset), route(asset.path, asset)] : [route(asset.path, asset)]
        }
    }

    private static let entityTag = Route.Header("ETag", "A value that changes with the content of the file.")

    /// Declared for the description of the API only: the gate answers such a request before it reaches a route.
    private static let token = Route.Parameter(
        "token", .text, "The access token; the response sets a session cookie. It must be the only parameter.")
    private static let entrance = Route.Response(
        303, "The session cookie, which replaces the access token in later requests.", contentType: nil,
        headers: [
            Route.Header("Location", "The page."),
            Route.Header(
                "Set-Cookie", "The session cookie, if the server requires an access token.", isRequired: false),
        ])

    private static func route(_ path: String, _ asset: WebAsset) -> Route {
        let isEntrance = path == "/"
        var route = Route(
            .get, path, summary: isEntrance ? "The dashboard page." : "A file of the dashboard page.",
            parameters: isEntrance ? [token] : [],
            requestHeaders: [
                Route.Header("If-None-Match", "The entity tags of the versions that the client has.", isRequired: false)
            ],
            responses: [
                Route.Response(
                    200, "The content of the file.", contentType: String(asset.contentType.prefix { $0 != ";" }),
                    schema: .string(),
                    headers: [entityTag]),
                Route.Response(
                    304, "The client has the current version, according to If-None-Match.", contentType: nil,
                    headers: [entityTag]),
            ] + (isEntrance ? [entrance] : [])
        ) { request in
            answer(request.request, asset)
        }
        route.isPagePart = true
        return route
    }

    private static func answer(_ request: HTTPRequest, _ asset: WebAsset) -> HTTPResponse {
        let content = asset.content
        // The browser caches the file and revalidates it with each request, so a new build of the program shows at
        // once.
        let validators = [
            HTTPHeaders.Field("ETag", content.entityTag), HTTPHeaders.Field("Cache-Control", "no-cache"),
        ]
        guard !EntityTagMatch.isKnown(content.entityTag, to: request) else {
            // The response has the body of the 200 response, because 304 repeats its header fields (RFC 9110, 15.4.5).
            // The server sends only the length of the body.
            return HTTPResponse(status: 304, headers: HTTPHeaders(validators), body: .immortal(content.bytes))
        }
        return HTTPResponse(
            status: 200, headers: HTTPHeaders([HTTPHeaders.Field("Content-Type", asset.contentType)] + validators),
            body: .immortal(content.bytes))
    }
}
