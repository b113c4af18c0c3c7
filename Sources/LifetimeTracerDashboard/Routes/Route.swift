/// One thing that can be asked for: a method, a path and who answers.
///
/// ```swift
/// Route(.get, "/demo/slow", summary: "Answers late.", parameters: [
///     Route.Parameter("seconds", .number(0...60), "How late.", isRequired: true)
/// ]) { request in
///     HTTPResponse(status: 200, body: .stream(SlowAnswer(after: request.number("seconds") ?? 0)))
/// }
/// ```
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
    /// A JSON schema of the body that is taken, for the description of the API.
    package let bodySchema: String?
    /// Whether the answer is a part of the page, and no endpoint that one would ask for by hand.
    package var isPagePart = false

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
    ///   - responses: What can come back.
    ///   - bodySchema: A JSON schema of the body.
    ///   - handler: Who answers. Called on the server's threads; must return soon.
    public init(
        _ method: Method, _ path: String, summary: String, parameters: [Parameter] = [],
        responses: [Response] = [.json], bodySchema: String? = nil, handler: @escaping Handler
    ) {
        precondition(path.hasPrefix("/"), "the path of a route begins with a slash: \(path)")
        self.method = method
        self.path = path
        self.summary = summary
        self.parameters = parameters
        self.responses = responses
        self.bodySchema = bodySchema
        self.handler = handler
        segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(Segment.init)
        let declared = Set(parameters.map(\.name))
        precondition(declared.count == parameters.count, "a parameter of \(path) is declared twice")
        precondition(pathParameterNames.isSubset(of: declared), "a parameter in the path \(path) is not declared")
    }

    /// The names that stand in the path.
    var pathParameterNames: Set<String> {
        Set(segments.compactMap { if case .parameter(let name) = $0 { name } else { nil } })
    }

    /// Whether no segment is left open.
    var isLiteral: Bool { pathParameterNames.isEmpty }
}

extension Route {
    /// What one `{name}` of the path or one name in the query can hold.
    public struct Parameter: Sendable {
        /// The values that are taken.
        public enum Value: Sendable {
            /// Any text.
            case text
            /// A whole number in decimal digits.
            case integer(ClosedRange<Int>)
            /// A number in decimal digits, with a point or without.
            case number(ClosedRange<Double>)
            /// One of these.
            case choice([String])
        }

        /// The name.
        public let name: String
        /// The values that are taken.
        public let value: Value
        /// What it is for.
        public let description: String
        /// Whether a request without it is refused; what stands in the path is always there.
        public let isRequired: Bool
        /// The values that there are at the moment, in words, for a text that must be one of those.
        var known: (@Sendable () -> String)?

        /// Creates a parameter.
        public init(_ name: String, _ value: Value, _ description: String, isRequired: Bool = false) {
            self.name = name
            self.value = value
            self.description = description
            self.isRequired = isRequired
        }
    }

    /// What can come back from a route.
    public struct Response: Sendable {
        /// The status.
        public let status: Int
        /// When, and what it holds.
        public let description: String
        /// The type of the content; `nil` where there is none.
        public let contentType: String?

        /// Creates a response.
        public init(_ status: Int, _ description: String, contentType: String? = "application/json") {
            self.status = status
            self.description = description
            self.contentType = contentType
        }

        /// 200 with JSON.
        public static let json = Response(200, "The answer.")
    }
}
