/// Finds the route of a request, in an exact table.
struct Router: Sendable {
    /// All routes, in the order in which they were given.
    let routes: [Route]

    private let literal: [[String]: [Route]]
    private let patterns: [Route]

    /// Creates a router.
    ///
    /// Two routes for one method and path are a mistake in the program, and trap.
    init(_ routes: [Route]) {
        self.routes = routes
        literal = Dictionary(grouping: routes.filter(\.isLiteral), by: \.literalSegments)
        patterns = routes.filter { !$0.isLiteral }
        var seen: Set<[String]> = []
        for route in routes {
            precondition(
                seen.insert([route.method.rawValue] + route.literalSegments).inserted,
                "there are two routes for \(route.method.rawValue) \(route.path)")
        }
    }

    /// Has a request answered by its route.
    ///
    /// - Throws: ``RequestError`` when there is no such route, and whatever the route throws.
    func respond(to request: HTTPRequest, target: RequestTarget) throws -> HTTPResponse {
        let candidates = candidates(target.segments)
        guard !candidates.isEmpty else { throw notFound(target) }
        let method = request.method == "HEAD" ? Route.Method.get.rawValue : request.method
        guard let found = candidates.first(where: { $0.route.method.rawValue == method }) else {
            throw RequestError.methodNotAllowed(request.method, candidates.map(\.route))
        }
        if found.route.refusesOtherSites { try Gate.checkSite(request) }
        try RequestError.checkMediaType(of: request)
        return try found.route.handler(
            RouteRequest(request, route: found.route, pathValues: found.values, query: target.query))
    }

    /// The routes of a path; a path that is written out goes before one with open segments.
    private func candidates(_ segments: [String]) -> [(route: Route, values: [String: String])] {
        if let found = literal[segments] { return found.map { ($0, [:]) } }
        return patterns.compactMap { route in route.values(in: segments).map { (route, $0) } }
    }

    private func notFound(_ target: RequestTarget) -> RequestError {
        let path = "/" + target.segments.joined(separator: "/")
        return RequestError(
            status: 404, code: "notFound", message: "There is nothing at \"\(path.shortened)\".",
            hint: "Endpoints: " + endpoints.joined(separator: ", ") + ".")
    }

    /// What the API offers, without the parts of the page.
    private var endpoints: [String] {
        routes.filter { !$0.isPagePart }.map { "\($0.method.rawValue) \($0.path)" }
    }
}

extension Route {
    /// The segments, with nothing but a mark for those that are open: the same for paths that would match the same.
    fileprivate var literalSegments: [String] {
        segments.map { if case .literal(let text) = $0 { text } else { "{}" } }
    }

    /// The values of the open segments, if the path matches.
    fileprivate func values(in path: [String]) -> [String: String]? {
        guard path.count == segments.count else { return nil }
        var values: [String: String] = [:]
        for (segment, text) in zip(segments, path) {
            switch segment {
            case .literal(let expected): guard expected == text else { return nil }
            case .parameter(let name): values[name] = text
            }
        }
        return values
    }

    /// The methods under which the route answers.
    fileprivate var allowed: [String] {
        method == .get ? ["GET", "HEAD"] : [method.rawValue]
    }
}

extension RequestError {
    fileprivate static func methodNotAllowed(_ method: String, _ routes: [Route]) -> Self {
        let allowed = routes.flatMap(\.allowed).sorted().joined(separator: ", ")
        return Self(
            status: 405, code: "methodNotAllowed", message: "The method \"\(method.shortened)\" is not known here.",
            hint: "Known here: \(allowed).", headers: [HTTPHeaders.Field("Allow", allowed)])
    }

    /// Refuses a body that is not declared as JSON: a form on a stranger's page can send anything but that.
    fileprivate static func checkMediaType(of request: HTTPRequest) throws(RequestError) {
        guard !request.body.isEmpty else { return }
        let type = request.headers["Content-Type"] ?? ""
        let essence = type.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
        guard essence == "application/json" else {
            throw RequestError(
                status: 415, code: "unsupportedMediaType",
                message: type.isEmpty
                    ? "The body comes without a Content-Type." : "A body of type \"\(type.shortened)\" is not taken.",
                hint: "Send JSON with Content-Type: application/json.")
        }
    }
}
