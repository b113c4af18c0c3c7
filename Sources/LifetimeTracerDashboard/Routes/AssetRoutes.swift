/// The page and its parts, from memory.
enum AssetRoutes {
    /// A route for each part, and `/` for `/index.html`.
    static func routes(_ assets: [WebAsset] = WebAsset.all) -> [Route] {
        assets.flatMap { asset in
            asset.path == "/index.html" ? [route("/", asset), route(asset.path, asset)] : [route(asset.path, asset)]
        }
    }

    private static let entityTag = Route.Header("ETag", "Changes with the bytes.")

    /// Never seen by a route: the gate answers a request with it.
    private static let token = Route.Parameter(
        "token", .text, "The access token, in exchange for a cookie; nothing else may stand beside it.")
    private static let entrance = Route.Response(
        303, "The cookie that shows the access token from now on.", contentType: nil,
        headers: [
            Route.Header("Location", "The page."),
            Route.Header("Set-Cookie", "The cookie, where an access token is needed.", isRequired: false),
        ])

    private static func route(_ path: String, _ asset: WebAsset) -> Route {
        let isEntrance = path == "/"
        var route = Route(
            .get, path, summary: isEntrance ? "The page." : "A part of the page.",
            parameters: isEntrance ? [token] : [],
            requestHeaders: [
                Route.Header("If-None-Match", "The entity tags of what the client has.", isRequired: false)
            ],
            responses: [
                Route.Response(
                    200, "Its bytes.", contentType: String(asset.contentType.prefix { $0 != ";" }), schema: .string(),
                    headers: [entityTag]),
                Route.Response(304, "It is the one that If-None-Match names.", contentType: nil, headers: [entityTag]),
            ] + (isEntrance ? [entrance] : [])
        ) { request in
            answer(request.request, asset)
        }
        route.isPagePart = true
        return route
    }

    private static func answer(_ request: HTTPRequest, _ asset: WebAsset) -> HTTPResponse {
        // Kept by the browser and asked for again each time: a new build of the program is a new page at once.
        let validators = [
            HTTPHeaders.Field("ETag", asset.entityTag), HTTPHeaders.Field("Cache-Control", "no-cache"),
        ]
        guard !EntityTagMatch.isKnown(asset.entityTag, to: request) else {
            // With the body, of which the server sends nothing but the length: 304 repeats the head of 200 (RFC 9110, 15.4.5).
            return HTTPResponse(status: 304, headers: HTTPHeaders(validators), body: .immortal(asset.bytes))
        }
        return HTTPResponse(
            status: 200, headers: HTTPHeaders([HTTPHeaders.Field("Content-Type", asset.contentType)] + validators),
            body: .immortal(asset.bytes))
    }
}
