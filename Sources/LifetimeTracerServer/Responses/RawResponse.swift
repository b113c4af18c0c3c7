import LifetimeTracerDashboard

/// Writes an answer out for a connection that libmicrohttpd does not get.
enum RawResponse {
    /// The bytes of an answer after which the connection is closed.
    ///
    /// - Parameter response: An answer of bytes; the body of a stream is left out.
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
