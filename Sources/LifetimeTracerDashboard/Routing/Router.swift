/// Finds the route of a request in a table and calls its handler.
struct Router: Sendable {
    /// All routes, in the order in which they were given.
    let routes: [Route]

    /// The endpoints of paths without parameters, by path.
    private let literal: [String: [Endpoint]]
    private let patterns: [Endpoint]

    /// A route in memory of its own, so that finding it retains one object instead of all parts of the route.
    private final class Endpoint: Sendable {
        let route: Route
        let method: String
        private let hasParameters: Bool

        init(_ route: Route) {
            self.route = route
            method = route.method.rawValue
            hasParameters = !route.parameters.isEmpty
        }

        func respond(
            to request: HTTPRequest, pathValues: [RequestTarget.QueryItem], query: [RequestTarget.QueryItem]
        ) throws -> HTTPResponse {
            if route.refusesOtherSites { try Gate.checkSite(request) }
            try RequestError.checkMediaType(of: request)
            // Without parameters there is nothing to check, and the parts of the route need not be retained for it.
            let checked =
                hasParameters || !query.isEmpty
                ? try RouteRequest(request, route: route, pathValues: pathValues, query: query)
                : RouteRequest(withoutParameters: request)
            return try route.handler(checked)
        }
    }

    /// Creates a router.
    ///
    /// Two routes with the same method and path are a programming error, and trap.
    init(_ routes: [Route]) {
        self.routes = routes
        literal = Dictionary(grouping: routes.filter(\.isLiteral).map(Endpoint.init), by: \.route.path)
        patterns = routes.filter { !$0.isLiteral }.map(Endpoint.init)
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
        let method = request.method == "HEAD" ? Route.Method.get.rawValue : request.method
        // Most requests are found here, without a list of candidates.
        if let path = target.plainPath, let endpoint = literal[path]?.first(where: { $0.method == method }) {
            return try endpoint.respond(to: request, pathValues: [], query: target.query)
        }
        let candidates = candidates(target)
        guard !candidates.isEmpty else { throw notFound(target) }
        guard let found = candidates.first(where: { $0.endpoint.method == method }) else {
            throw RequestError.methodNotAllowed(request.method, candidates.map(\.endpoint.route))
        }
        return try found.endpoint.respond(to: request, pathValues: found.values, query: target.query)
    }

    /// Returns the endpoints that match a path, with the values of the path's parameters.
    ///
    /// A path without parameters takes precedence over one with parameters.
    private func candidates(
        _ target: RequestTarget
    ) -> [(endpoint: Endpoint, values: [RequestTarget.QueryItem])] {
        if let path = target.plainPath {
            if let found = literal[path] { return found.map { ($0, []) } }
        } else {
            // No path without parameters has a slash in a segment.
            let segments = target.segments
            let path = segments.contains { $0.contains("/") } ? nil : "/" + segments.joined(separator: "/")
            if let path, let found = literal[path] { return found.map { ($0, []) } }
        }
        let segments = target.segments
        return patterns.compactMap { endpoint in endpoint.route.values(in: segments).map { (endpoint, $0) } }
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
    fileprivate func values(in path: [String]) -> [RequestTarget.QueryItem]? {
        guard path.count == segments.count else { return nil }
        var values: [RequestTarget.QueryItem] = []
        for (segment, text) in zip(segments, path) {
            switch segment {
            case .literal(let expected): guard expected == text else { return nil }
            case .parameter(let name): values.append(RequestTarget.QueryItem(name: name, value: text))
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
