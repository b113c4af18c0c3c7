/// One thing that can be asked for: a method, a path and who answers.
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
/// What a route declares is part of `/api/v1/openapi.json`, and so are the errors that every route can answer with.
/// Parameters are checked before the handler is called. Answers are not checked against their schemas.
public struct Route: Sendable {
    /// The methods that routes can have.
    ///
    /// `HEAD` is answered wherever `GET` is.
    public enum Method: String, Sendable, CaseIterable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    /// Answers a request.
    ///
    /// What it throws is answered as an error: ``RequestError`` as it says, anything else with status 500.
    public typealias Handler = @Sendable (RouteRequest) throws -> HTTPResponse

    /// The method.
    public let method: Method
    /// The path; `{name}` stands for any one segment: `/api/v1/instances/{id}`.
    public let path: String
    /// What is answered, in a sentence.
    public let summary: String
    /// What the open parts of the path and the query can hold.
    ///
    /// A parameter that is not declared is refused.
    public let parameters: [Parameter]
    /// What can come back, for the description of the API.
    public let responses: [Response]
    /// The header fields that the handler reads, for the description of the API.
    public let requestHeaders: [Header]
    /// The schema of the body that is taken, for the description of the API; `nil` where none is needed.
    public let bodySchema: JSONSchema?
    /// Whether the answer is a part of the page, and no endpoint that one would ask for by hand.
    package var isPagePart = false
    /// Whether a request that a page of another site has a browser send is refused although the method is GET: because it sets
    /// work going, or holds on to a connection.
    package private(set) var refusesOtherSites = false

    let segments: [Segment]
    let handler: Handler

    /// One part of a path between slashes.
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
    ///   - method: The method.
    ///   - path: The path from `/`, not percent-encoded; `{name}` stands for any one segment and must be declared.
    ///   - summary: What is answered, in a sentence.
    ///   - parameters: What the path and the query can hold.
    ///   - requestHeaders: The header fields that the handler reads.
    ///   - responses: What can come back, beside the errors that every route can answer with.
    ///   - bodySchema: The schema of the body.
    ///   - handler: Who answers. Called on the server's threads; must return soon.
    public init(
        _ method: Method, _ path: String, summary: String, parameters: [Parameter] = [],
        requestHeaders: [Header] = [], responses: [Response] = [.json], bodySchema: JSONSchema? = nil,
        handler: @escaping Handler
    ) {
        precondition(path.hasPrefix("/"), "the path of a route begins with a slash: \(path)")
        self.method = method
        self.path = path
        self.summary = summary
        self.parameters = parameters
        self.requestHeaders = requestHeaders
        self.responses = responses
        self.bodySchema = bodySchema
        self.handler = handler
        segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(Segment.init)
        let declared = Set(parameters.map(\.name))
        precondition(declared.count == parameters.count, "a parameter of \(path) is declared twice")
        precondition(pathParameterNames.isSubset(of: declared), "a parameter in the path \(path) is not declared")
        precondition(Set(responses.map(\.status)).count == responses.count, "a status of \(path) is declared twice")
    }

    /// The same route, refusing what pages of other sites send.
    package func refusingOtherSites() -> Route {
        var route = self
        route.refusesOtherSites = true
        return route
    }

    /// The names that stand in the path.
    var pathParameterNames: Set<String> {
        Set(segments.compactMap { if case .parameter(let name) = $0 { name } else { nil } })
    }

    /// Whether no segment is left open.
    var isLiteral: Bool { pathParameterNames.isEmpty }
}
