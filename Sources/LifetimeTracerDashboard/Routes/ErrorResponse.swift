extension HTTPResponse {
    /// An error in the form that every error has: `{"error":{"code":…,"message":…,"hint":…}}`.
    ///
    /// It carries the security headers already, so a server can send it for what never reaches a ``Dashboard``.
    ///
    /// - Parameters:
    ///   - status: The HTTP status, from 400.
    ///   - code: A name for programs: `bodyTooLarge`.
    ///   - message: What is wrong, with the value.
    ///   - hint: What to do.
    ///   - headers: Further header fields, such as `Retry-After`.
    package static func error(
        status: Int, code: String, message: String, hint: String, headers: HTTPHeaders = []
    ) -> HTTPResponse {
        HTTPResponse(RequestError(status: status, code: code, message: message, hint: hint, headers: headers))
    }

    /// The answer to a request that failed.
    package init(_ error: RequestError) {
        self = .json(WireError(error), status: error.status)
        for field in error.headers.fields { headers.append(field.name, field.value) }
    }

    /// An answer of the API: JSON that is not kept by any cache.
    package static func json(_ value: some JSONDescribed, status: Int = 200) -> HTTPResponse {
        var response = HTTPResponse(
            status: status,
            headers: [
                HTTPHeaders.Field("Content-Type", "application/json; charset=utf-8"),
                HTTPHeaders.Field("Cache-Control", "no-store"),
            ],
            body: .bytes(value.jsonBytes))
        SecurityHeaders.add(to: &response)
        return response
    }
}
