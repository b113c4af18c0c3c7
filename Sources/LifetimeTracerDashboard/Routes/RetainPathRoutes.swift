import LifetimeTracer
import RetainPaths

/// The routes of retain paths.
///
/// A search takes longer than a request may. Therefore the first response says that the search has begun, and the
/// client polls with the same request.
enum RetainPathRoutes {
    /// Tells the client to poll again after this number of seconds.
    private static let retryAfter = HTTPHeaders.Field("Retry-After", "1")
    private static let retryLater = Route.Header(
        "Retry-After", "Seconds to wait before a retry.", .integer(1...))
    private static let askAgain = [Route.Header("Location", "The URL to poll."), retryLater]
    private static let listPath = "/api/v1/retain-paths"
    private static let full = Route.Parameter(
        "full", .choice(["0", "1"]), "With 1, every step of a path; otherwise steps of little interest are left out.")

    static func routes(_ context: DashboardContext) -> [Route] {
        [
            Route(
                .get, "/api/v1/instances/{id}/retain-path",
                summary: "The holders of an instance: starts a search, or returns its progress or its result.",
                parameters: [
                    InstanceLookup.parameter, full,
                    Route.Parameter(
                        "fresh", .choice(["0", "1"]), "With 1, searches again and ignores earlier results."),
                ],
                responses: [
                    .json(200, "The result of the search.", WireRetainPath.self),
                    .json(
                        202, "The progress of the search; poll the URL in Location.", WireRetainJob.self,
                        headers: askAgain),
                    .error(403, "A page of another site sent the request."), InstanceLookup.missing,
                    .error(429, "Too many retain paths are pending.", headers: [retryLater]),
                    .error(501, "Retain paths are not available; the error states the reason."),
                    .error(503, "The search failed.", headers: [retryLater]),
                ]
            ) { try retainPath($0, context) },
            Route(
                .get, listPath, summary: "The results for all instances, and the progress of the searches.",
                parameters: [full] + PageRequest.parameters, "A page of the results.",
                links: InstanceLookup.links(from: "/retainPaths/0/instance")
            ) { try retainPaths($0, context) },
            Route(
                .post, listPath, summary: "Starts one search for several instances.",
                responses: [
                    .json(
                        202, "The progress of the searches; GET returns the results.", WireStartedSearch.self,
                        headers: askAgain),
                    .error(429, "Too many retain paths are pending.", headers: [retryLater]),
                ], bodySchema: InstanceListBody.schema
            ) { try search($0, context) },
        ]
    }

    private static func retainPath(_ request: RouteRequest, _ context: DashboardContext) throws -> HTTPResponse {
        let id = InstanceLookup.id(in: request)
        try InstanceLookup.check(id, context)
        let answer = try asked { () throws(TooManyRetainJobs) in
            try context.retainSearches.ask(about: id, afresh: request.text("fresh") == "1")
        }
        let isFull = request.text("full") == "1"
        let clock = WireClock(context.registry, now: context.registry.clock.now())
        switch answer {
        case .found(let finding):
            return .json(WireRetainPath(finding, full: isFull, clock))
        case .working(let job):
            // Without `fresh`, because each poll would otherwise start another search.
            let location = "/api/v1/instances/\(id)/retain-path\(isFull ? "?full=1" : "")"
            var response = HTTPResponse.json(WireRetainJob(job, clock), status: 202)
            response.headers.append("Location", location)
            response.headers.append(retryAfter.name, retryAfter.value)
            return response
        case .failed(let error):
            throw RequestError(error)
        }
    }

    private static func retainPaths(
        _ request: RouteRequest, _ context: DashboardContext
    ) throws -> WireRetainPathList {
        let searches = context.retainSearches
        searches.keepGoing()
        let clock = WireClock(context.registry, now: context.registry.clock.now())
        let isFull = request.text("full") == "1"
        let findings = searches.findings.sorted { $0.key < $1.key }.map(\.value)
        let page = try PageRequest(request).page(of: findings, inKeyOrder: .ascending) {
            $0.explanation.instance.rawValue
        }
        return WireRetainPathList(
            page: page.map { WireRetainPath($0, full: isFull, clock) },
            searches: WireRetainSearches(searches.overview, clock))
    }

    private static func search(_ request: RouteRequest, _ context: DashboardContext) throws -> HTTPResponse {
        let ids = try InstanceListBody(request.request.body, limit: RetainSearches.jobLimit).ids
        let words = context.registry.carriedWords(of: ids)
        let live = zip(ids, words).filter { $0.1 != nil }.map(\.0)
        try asked { () throws(TooManyRetainJobs) in try context.retainSearches.ask(about: live) }
        let clock = WireClock(context.registry, now: context.registry.clock.now())
        let missing = zip(ids, words).filter { $0.1 == nil }.map(\.0)
        var response = HTTPResponse.json(
            WireStartedSearch(
                asked: live, missing: missing,
                searches: WireRetainSearches(context.retainSearches.overview, clock)),
            status: 202)
        response.headers.append("Location", listPath)
        response.headers.append(retryAfter.name, retryAfter.value)
        return response
    }

    private static func asked<Answer>(
        _ ask: () throws(TooManyRetainJobs) -> Answer
    ) throws(RequestError) -> Answer {
        do throws(TooManyRetainJobs) {
            return try ask()
        } catch {
            throw RequestError(
                status: 429, code: "tooManySearches",
                message: "The limit of \(error.limit) pending retain paths is reached.",
                hint: "Retry when some searches have ended, or request fewer instances at once.", headers: [retryAfter])
        }
    }
}

extension RequestError {
    /// Creates the error response for a failed search.
    fileprivate init(_ error: RetainPathsError) {
        switch error {
        case .unavailable:
            self.init(
                status: 501, code: "notAvailable", message: "\(error)",
                hint: "See the owner, parent and tokens of the instance: /api/v1/instances/{id}.")
        // A request names ids, not objects or types, so `notTraced` and `unknownType` cannot occur; they are treated
        // like a failed search.
        case .timedOut, .outOfMemory, .failed, .cancelled, .notTraced, .unknownType:
            self.init(
                status: 503, code: "searchFailed", message: "\(error)", hint: "Search again with fresh=1.",
                headers: [HTTPHeaders.Field("Retry-After", "1")])
        }
    }
}
