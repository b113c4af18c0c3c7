import TracerBase

extension HTTPResponse {
    /// Creates an error response.
    ///
    /// All errors have the form `{"error":{"code":…,"message":…,"hint":…}}`.
    ///
    /// The response includes the security headers, so a server can send it for requests that never reach a
    /// ``Dashboard``.
    ///
    /// - Parameters:
    ///   - status: The HTTP status, 400 or above.
    ///   - code: A name for programs: `bodyTooLarge`.
    ///   - message: The problem, with the offending value.
    ///   - hint: The remedy.
    ///   - headers: Further header fields, such as `Retry-After`.
    package static func error(
        status: Int, code: String, message: String, hint: String, headers: HTTPHeaders = []
    ) -> HTTPResponse {
        HTTPResponse(RequestError(status: status, code: code, message: message, hint: hint, headers: headers))
    }

    /// Creates the response to a request that failed.
    package init(_ error: RequestError) {
        self = .json(WireError(error), status: error.status)
        for field in error.headers.fields { headers.append(field.name, field.value) }
    }

    /// Creates a JSON response of the API, which no cache may store.
    ///
    /// - Parameter size: The usual size of the response.
    package static func json(
        _ value: some JSONDescribed, status: Int = 200, size: UsualSize = UsualSize()
    ) -> HTTPResponse {
        let bytes = JSONWriter.bytes(reservingCapacity: size.room) { value.write(to: &$0) }
        size.record(bytes.count)
        return HTTPResponse(status: status, headers: jsonHeaders, body: .bytes(bytes))
    }

    /// The header fields of a JSON response, with the security headers.
    private static let jsonHeaders: HTTPHeaders = {
        var response = HTTPResponse(
            status: 200,
            headers: [
                HTTPHeaders.Field("Content-Type", "application/json; charset=utf-8"),
                HTTPHeaders.Field("Cache-Control", "no-store"),
            ])
        SecurityHeaders.add(to: &response)
        return response.headers
    }()
}
