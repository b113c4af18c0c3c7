import LifetimeTracerDashboard

/// Serialises a response for a connection that is not passed to libmicrohttpd.
enum RawResponse {
    /// Returns the bytes of a response that closes the connection.
    ///
    /// - Parameter response: A response of bytes; the body of a stream is left out.
    static func bytes(of response: HTTPResponse) -> [UInt8] {
        var body: [UInt8] = []
        if case .bytes(let bytes) = response.body { body = bytes }
        var head = "HTTP/1.1 \(response.status) \(reason(for: response.status))\r\nConnection: close\r\n"
        for field in response.headers.fields { head += "\(field.name): \(field.value)\r\n" }
        return Array("\(head)Content-Length: \(body.count)\r\n\r\n".utf8) + body
    }

    private static func reason(for status: Int) -> String {
        status == 503 ? "Service Unavailable" : "Status"
    }
}
