/// The header fields of every response.
enum SecurityHeaders {
    private static let fields: [HTTPHeaders.Field] = [
        HTTPHeaders.Field("X-Content-Type-Options", "nosniff"),
        HTTPHeaders.Field(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
        HTTPHeaders.Field("Referrer-Policy", "no-referrer"),
        HTTPHeaders.Field("Cross-Origin-Resource-Policy", "same-origin"),
    ]

    /// Adds the fields that the response lacks, and forbids caching unless the response sets `Cache-Control`.
    static func add(to response: inout HTTPResponse) {
        guard !response.headers.haveSecurityFields else { return }
        response.headers.haveSecurityFields = true
        for field in fields where response.headers[field.name] == nil {
            response.headers.append(field.name, field.value)
        }
        if response.headers["Cache-Control"] == nil { response.headers.append("Cache-Control", "no-store") }
    }
}
