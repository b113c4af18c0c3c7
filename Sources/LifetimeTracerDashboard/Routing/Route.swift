/// An endpoint: a method, a path and a handler.
///
/// ```swift
/// let cache = JSONSchema.object([JSONSchema.Property("entries", .integer(0...))]).named("Cache")
/// Route(
///     .get, "/caches/{name}", summary: "How full a cache is.",
///     parameters: [Route.Parameter("name", .text, "The name of a cache.")],
///     responses: [
///         Route.Response(200, "The cache.", schema: cache), .error(404, "There is no cache of that name."),
///     ]
/// ) { request in
///     guard let count = caches.count(of: request.text("name") ?? "") else { throw unknownCache }
///     return HTTPResponse(
///         status: 200, headers: [.init("Content-Type", "application/json")],
///         body: .bytes(Array(#"{"entries":\(count)}"#.utf8)))
/// }
/// ```
///
/// The declarations of a route are part of `/api/v1/openapi.json`, as are the errors that every route can respond with.
/// Parameters are checked before the handler is called. Responses are not checked against their schemas.
package struct Route: Sendable {
    /// The methods of routes.
    ///
    /// A route with `GET` also responds to `HEAD`.
    package enum Method: String, Sendable, CaseIterable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    /// Responds to a request.
    ///
    /// A thrown ``RequestError`` or `TracerError` becomes the corresponding error response; any other error becomes a
    /// response with status 500.
    package typealias Handler = @Sendable (RouteRequest) throws -> HTTPResponse

    /// The HTTP method.
    package let method: Method
    /// The path; `{name}` stands for one segment of any value: `/api/v1/instances/{id}`.
    package let path: String
    /// The purpose of the route, in a sentence.
    package let summary: String
    /// The parameters in the path and the query.
    ///
    /// A request with an undeclared parameter is refused.
    package let parameters: [Parameter]
    /// The possible responses, for the description of the API.
    package let responses: [Response]
    /// The header fields that the handler reads, for the description of the API.
    package let requestHeaders: [Header]
    /// The schema of the request body, for the description of the API; `nil` if the route needs no body.
    package let bodySchema: JSONSchema?
    /// Whether the route serves a file of the page and is not an endpoint of the API.
    package var isPagePart = false
    /// Whether requests that a browser sends on behalf of a page of another site are refused even with `GET`.
    ///
    /// Set for routes that start work or keep a connection open.
    package private(set) var refusesOtherSites = false

    /// The names of ``parameters``, in the same order.
    let parameterNames: [String]
    /// The positions in ``parameters`` of those that a request must have.
    let requiredParameters: [Int]
    let segments: [Segment]
    let handler: Handler

    /// One segment of a path, between slashes.
    enum Segment: Sendable, Hashable {
        case literal(String)
        case parameter(String)

        init(_ text: Substring) {
            let isOpen = text.first == "{" && text.last == "}"
            self = isOpen ? .parameter(String(text.dropFirst().dropLast())) : .literal(String(text))
        }
    }

    /// Creates a route.
    ///
    /// - Parameters:
    ///   - method: The HTTP method.
    ///   - path: The path from `/`, not percent-encoded; `{name}` stands for one segment of any value and must be
    ///     declared.
    ///   - summary: The purpose of the route, in a sentence.
    ///   - parameters: The parameters in the path and the query.
    ///   - requestHeaders: The header fields that the handler reads.
    ///   - responses: The possible responses, besides the errors that every route can respond with.
    ///   - bodySchema: The schema of the request body.
    ///   - handler: Responds to a request. Called on the server's threads; must return soon.
    package init(
        _ method: Method, _ path: String, summary: String, parameters: [Parameter] = [],
        requestHeaders: [Header] = [], responses: [Response] = [.json], bodySchema: JSONSchema? = nil,
        handler: @escaping Handler
    ) {
        precondition(path.hasPrefix("/"), "the path of a route must begin with a slash: \(path)")
        self.method = method
        self.path = path
        self.summary = summary
        self.parameters = parameters
        self.requestHeaders = requestHeaders
        self.responses = responses
        self.bodySchema = bodySchema
        self.handler = handler
        segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(Segment.init)
        parameterNames = parameters.map(\.name)
        requiredParameters = parameters.indices.filter { parameters[$0].isRequired }
        let declared = Set(parameterNames)
        precondition(declared.count == parameters.count, "a parameter of \(path) is declared twice")
        precondition(pathParameterNames.isSubset(of: declared), "a parameter in the path \(path) is not declared")
        precondition(Set(responses.map(\.status)).count == responses.count, "a status of \(path) is declared twice")
    }

    /// Returns the same route, which also refuses `GET` requests on behalf of pages of other sites.
    package func refusingOtherSites() -> Route {
        var route = self
        route.refusesOtherSites = true
        return route
    }

    /// The names of the parameters in the path.
    var pathParameterNames: Set<String> {
        Set(segments.compactMap { if case .parameter(let name) = $0 { name } else { nil } })
    }

    /// Whether the path has no parameters.
    var isLiteral: Bool { pathParameterNames.isEmpty }
}
