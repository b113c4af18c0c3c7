import LifetimeTracer
import LifetimeTracerDashboard
import LifetimeTracerServer
import Testing

extension ServerTests {
    /// The real dashboard over a socket: the exact bytes of its responses.
    @Suite struct RunningDashboardTests {
        private final class Subject {}

        struct Case: Sendable, CustomTestStringConvertible {
            let request: String
            var host = "localhost"
            var fields = "Authorization: Bearer a-secret-of-20-bytes\r\n"
            var body: String?
            let status: Int
            var code: String?
            var field: (name: String, value: String)?

            var testDescription: String { "\(status) \(request)" }
        }

        private static let bearer = "Authorization: Bearer a-secret-of-20-bytes\r\n"
        private static let json = bearer + "Content-Type: application/json\r\n"
        private static let marks = "POST /api/v1/marks"

        private static let cases = [
            Case(request: "GET /api/v1/summary", status: 200, field: ("Content-Type", "application/json")),
            Case(
                request: "GET /api/v1/summary", fields: "", status: 401, code: "accessTokenRequired",
                field: ("WWW-Authenticate", "Bearer")),
            Case(
                request: "GET /api/v1/summary", fields: "Authorization: Bearer wrong\r\n", status: 401,
                code: "accessTokenRequired"),
            Case(
                request: marks, fields: json + "Origin: http://stranger.example\r\n", body: "{\"name\":\"b\"}",
                status: 403, code: "foreignOrigin"),
            Case(
                request: marks, fields: json + "Sec-Fetch-Site: cross-site\r\n", body: "{\"name\":\"b\"}", status: 403,
                code: "foreignOrigin"),
            Case(request: "GET /nothing", status: 404, code: "notFound"),
            Case(request: "GET /api/v1/instances/999999", status: 404, code: "unknownInstance"),
            Case(
                request: "DELETE /api/v1/summary", status: 405, code: "methodNotAllowed",
                field: ("Allow", "GET, HEAD")),
            Case(
                request: "PUT /api/v1/marks", status: 405, code: "methodNotAllowed",
                field: ("Allow", "GET, HEAD, POST")),
            Case(request: marks, fields: json, body: "{\"name\":\"taken\"}", status: 409, code: "duplicateMark"),
            Case(request: marks, fields: json, body: "{", status: 400, code: "malformedBody"),
            Case(
                request: marks, fields: bearer + "Content-Type: text/plain\r\n", body: "{\"name\":\"b\"}", status: 415,
                code: "unsupportedMediaType"),
            Case(
                request: "GET /api/v1/summary", host: "stranger.example", status: 421, code: "unknownHost"),
            Case(request: "GET /api/v1/instances/999999/retain-path", status: 404, code: "unknownInstance"),
            Case(
                request: "POST /api/v1/retain-paths", fields: json, body: "{\"ids\":[]}", status: 400,
                code: "malformedBody"),
            Case(request: "GET /api/v1/types?sorrt=name", status: 400, code: "unknownParameter"),
            Case(request: "GET /api/v1/types?limit=0", status: 400, code: "invalidParameter"),
            Case(request: "GET /api/v1/types?limit=1&limit=1", status: 400, code: "repeatedParameter"),
            Case(request: "GET /api/v1/types?filter=%zz", status: 400, code: "malformedTarget"),
            Case(request: "GET /%0d%0aX-Injected:%20yes", status: 404),
            Case(request: "GET /api/v1/types?filter=%0d%0aX-Injected:%20yes", status: 200),
            Case(request: "GET /?token=%0d%0aX-Injected:%20yes", fields: "", status: 401),
            Case(request: "GET /api/v1/types?type=%0d%0aX-Injected:%20yes", status: 400, code: "unknownParameter"),
            Case(request: "GET /%00", status: 400, code: "malformedTarget"),
            Case(request: "GET /app.js%00.html", status: 400, code: "malformedTarget"),
            Case(request: "GET /../../etc/passwd", status: 404),
            Case(request: "GET /%2e%2e/%2e%2e/etc/passwd", status: 404),
            Case(request: "GET /..%2f..%2fetc%2fpasswd", status: 404),
        ]

        @Test func everyRequestGetsTheDocumentedResponse() throws {
            let registry = LifetimeRegistry()
            let instance = LifetimeToken(of: Subject.self, registry: registry)
            defer { withExtendedLifetime(instance) {} }
            let server = TracerServer(address: ":0", registry: registry, accessToken: "a-secret-of-20-bytes")
            try server.start()
            defer { server.stop() }
            let client = try TestClient(#require(server.address))
            client.request("POST", "/api/v1/marks", headers: Self.json, body: "{\"name\":\"taken\"}")
            #expect(try client.reply().status == 201)
            // All requests use one connection, so a response with a wrong length would break the next one.
            for item in Self.cases {
                let length = item.body.map { "Content-Length: \($0.utf8.count)\r\n" } ?? ""
                client.send(
                    "\(item.request) HTTP/1.1\r\nHost: \(item.host)\r\n\(item.fields)\(length)\r\n\(item.body ?? "")")
                let reply = try client.reply()
                let name = item.testDescription
                #expect(reply.status == item.status, "\(name): \(reply.head) \(reply.text)")
                if let code = item.code {
                    #expect(reply.text.contains("\"code\":\"\(code)\""), "\(name): \(reply.text)")
                }
                if let field = item.field {
                    #expect(reply[field.name]?.hasPrefix(field.value) == true, "\(name): \(reply.head)")
                }
                #expect(reply["X-Injected"] == nil, "\(name)")
                #expect(!reply.text.contains("root:"), "\(name)")
                #expect(reply["X-Content-Type-Options"] == "nosniff", "\(name)")
            }
        }

        @Test func unchangedPageIsAnsweredWithNotModified() throws {
            let server = TracerServer(address: ":0", registry: LifetimeRegistry())
            try server.start()
            defer { server.stop() }
            let client = try TestClient(#require(server.address))
            client.request("GET", "/")
            let first = try client.reply()
            let tag = try #require(first["ETag"])
            #expect(first.status == 200 && !first.body.isEmpty)
            for (condition, status) in [(tag, 304), ("\"other\", \(tag)", 304), ("*", 304), ("\"other\"", 200)] {
                client.request("GET", "/", headers: "If-None-Match: \(condition)\r\n")
                let reply = try client.reply()
                #expect(reply.status == status, "\(condition)")
                #expect(reply["ETag"] == tag)
                #expect(reply.body.isEmpty == (status == 304))
            }
        }
    }
}
