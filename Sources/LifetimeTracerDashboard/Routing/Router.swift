/// Finds the route of a request in a table and calls its handler.
struct Router: Sendable {
    /// All routes, in the order in which they were given.
    let routes: [Route]

    private let literal: [[String]: [Route]]
    private let patterns: [Route]

    /// Creates a router.
    ///
    /// Two routes with the same method and path are a programming error, and trap.
    init(_ routes: [Route]) {
        self.routes = routes
        literal = Dictionary(grouping: routes.filter(\.isLiteral), by: \.literalSegments)
        patterns = routes.filter { !$0.isLiteral }
        var seen: Set<[String]> = []
        for route in routes {
            precondition(
                seen.insert([route.method.rawValue] + route.literalSegments).inserted,
                "two routes are declared for \(route.method.rawValue) \(route.path)")
        }
    }

    /// Returns the response of the matching route.
    ///
    /// - Throws: ``RequestError`` if no route matches; also rethrows the errors of the route.
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

    /// Returns the routes that match a path; a path without parameters takes precedence over one with parameters.
    private func candidates(_ segments: [String]) -> [(route: Route, values: [String: String])] {
        if let found = literal[segments] { return found.map { ($0, [:]) } }
        return patterns.compactMap { route in route.values(in: segments).map { (route, $0) } }
    }

    private func notFound(_ target: RequestTarget) -> RequestError {
        let path = "/" + target.segments.joined(separator: "/")
        return RequestError(
            status: 404, code: "notFound", message: "The path \"\(path.shortened)\" does not exist.",
            hint: "Endpoints: " + endpoints.joined(separator: ", ") + ".")
    }

    /// The endpoints of the API, without the files of the page.
    private var endpoints: [String] {
        routes.filter { !$0.isPagePart }.map { "\($0.method.rawValue) \($0.path)" }
    }
}

extension Route {
    /// The segments, with `{}` for each parameter.
    ///
    /// Two paths that match the same requests have the same value.
    fileprivate var literalSegments: [String] {
        segments.map { if case .literal(let text) = $0 { text } else { "{}" } }
    }

    /// Returns the values of the path parameters, if the path matches.
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

    /// The methods that the route responds to.
    fileprivate var allowed: [String] {
        method == .get ? ["GET", "HEAD"] : [method.rawValue]
    }
}

extension RequestError {
    fileprivate static func methodNotAllowed(_ method: String, _ routes: [Route]) -> Self {
        let allowed = routes.flatMap(\.allowed).sorted().joined(separator: ", ")
        return Self(
            status: 405, code: "methodNotAllowed",
            message: "The path does not support the method \"\(method.shortened)\".",
            hint: "Supported methods: \(allowed).", headers: [HTTPHeaders.Field("Allow", allowed)])
    }

    /// Refuses a body that is not declared as JSON.
    ///
    /// An HTML form on a foreign page cannot declare its body as JSON.
    fileprivate static func checkMediaType(of request: HTTPRequest) throws(RequestError) {
        guard !request.body.isEmpty else { return }
        let type = request.headers["Content-Type"] ?? ""
        let essence = type.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
        guard essence == "application/json" else {
            throw RequestError(
                status: 415, code: "unsupportedMediaType",
                message: type.isEmpty
                    ? "The request has a body but no Content-Type."
                    : "The Content-Type \"\(type.shortened)\" is not supported.",
                hint: "Send JSON with Content-Type: application/json.")
        }
    }
}
