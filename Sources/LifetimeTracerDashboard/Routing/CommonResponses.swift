/// The responses that any route can give: those of the gate, the router and the server.
enum CommonResponses {
    /// A response, with the name by which the operations refer to it.
    struct Entry: Sendable {
        let name: String
        let response: Route.Response
    }

    /// Returns the responses of a route, depending on whether requests must show an access token.
    static func entries(requiresToken: Bool) -> [Entry] {
        all.filter { entry in
            switch entry.response.status {
            case 401, 429: requiresToken
            default: true
            }
        }
    }

    /// All common responses.
    static let all = [
        Entry(
            name: "BadRequest",
            response: mixed(400, "The target, a parameter or the body is malformed or not accepted.")),
        Entry(
            name: "Unauthorized",
            response: .error(
                401, "The request has no access token or a wrong one.",
                headers: [Route.Header("WWW-Authenticate", "`Bearer`.")])),
        Entry(name: "Forbidden", response: .error(403, "A page of another site sent the request.")),
        Entry(
            name: "TooManyRequests",
            response: .error(
                429, "The client has sent too many wrong access tokens.",
                headers: [Route.Header("Retry-After", "Seconds to wait.", .integer(0...))])),
        Entry(
            name: "MethodNotAllowed",
            response: .error(
                405, "The path does not support the method.",
                headers: [Route.Header("Allow", "The methods that the path supports.")])),
        Entry(name: "ContentTooLarge", response: mixed(413, "The body is longer than \(Gate.bodyLimit) bytes.")),
        Entry(name: "URITooLong", response: mixed(414, "The request target is too long.")),
        Entry(name: "UnsupportedMediaType", response: .error(415, "The body is not declared as JSON.")),
        Entry(name: "MisdirectedRequest", response: .error(421, "The host is not an allowed host.")),
        Entry(name: "HeaderFieldsTooLarge", response: mixed(431, "The header fields are too large.")),
        Entry(name: "InternalError", response: .error(500, "The route failed because of a bug in the program.")),
        Entry(
            name: "ServiceUnavailable",
            response: .error(
                503, "The server is stopping or overloaded.",
                headers: [Route.Header("Retry-After", "Seconds to wait.", .integer(0...), isRequired: false)])),
    ]

    /// Returns the description of an error that the HTTP library may answer itself, with a short HTML page, before the
    /// dashboard sees the request.
    private static func mixed(_ status: Int, _ description: String) -> Route.Response {
        Route.Response(
            status, description,
            contents: [
                Route.Response.Content("application/json", WireError.schema),
                Route.Response.Content("text/html", .string()),
            ])
    }
}
