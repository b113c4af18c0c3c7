/// The page and its parts, from memory.
enum AssetRoutes {
    /// A route for each part, and `/` for `/index.html`.
    static func routes(_ assets: [WebAsset] = WebAsset.all) -> [Route] {
        assets.flatMap { asset in
            asset.path == "/index.html" ? [route("/", asset), route(asset.path, asset)] : [route(asset.path, asset)]
        }
    }

    private static let entityTag = Route.Header("ETag", "Changes with the bytes.")

    private static func route(_ path: String, _ asset: WebAsset) -> Route {
        var route = Route(
            .get, path, summary: path == "/" ? "The page." : "A part of the page.",
            requestHeaders: [
                Route.Header("If-None-Match", "The entity tags of what the client has.", isRequired: false)
            ],
            responses: [
                Route.Response(
                    200, "Its bytes.", contentType: String(asset.contentType.prefix { $0 != ";" }), schema: .string(),
                    headers: [entityTag]),
                Route.Response(304, "It is the one that If-None-Match names.", contentType: nil, headers: [entityTag]),
            ]
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
            return HTTPResponse(status: 304, headers: HTTPHeaders(validators))
        }
        return HTTPResponse(
            status: 200, headers: HTTPHeaders([HTTPHeaders.Field("Content-Type", asset.contentType)] + validators),
            body: .immortal(asset.bytes))
    }
}
