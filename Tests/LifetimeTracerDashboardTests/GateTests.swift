import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard

/// The requests that the gate admits or refuses.
@Suite struct GateTests {
    @Test(arguments: [
        "127.0.0.1", "127.0.0.1:8089", "localhost", "localhost:80", "LOCALHOST:8089", "[::1]", "[::1]:8089",
        "tracer.example", "tracer.example:99", "named.example:1",
    ])
    func knownHostIsAdmitted(_ host: String) {
        let bench = Bench(gate: GatePolicy(allowedHosts: ["Tracer.example", "named.example:4000"]))
        #expect(bench.send("GET", "/healthz", host: host).status == 200)
    }

    @Test(
        arguments: [
            nil, "", "evil.com", "127.0.0.1.evil.com", "127.0.0.1.evil.com:8089", "evil.com:127.0.0.1", "127.0.0.1:",
            "127.0.0.1:80x", "127.0.0.1:999999", "127.0.0.1:65536", "localhost.", "user@localhost", "localhost:80:80",
            "::1",
            "[::1", "[::1]x", "[::1].evil.com", "[]", " localhost", "localhost/", "127.0.0.1, evil.com", "127.0.0.2",
        ] as [String?])
    func unknownHostIsRefused(_ host: String?) {
        for target in ["/", "/api/v1/summary", "/metrics", "/healthz", "/nothing", "/%"] {
            let response = Bench().send("GET", target, host: host)
            #expect(response.status == 421, "\(host ?? "none") \(target)")
            #expect(response.errorCode == "unknownHost")
        }
    }

    @Test func repeatedHostHeaderIsRefused() {
        let bench = Bench()
        #expect(bench.send("GET", "/", headers: [("Host", "localhost")], host: "localhost").status == 421)
    }

    @Test func hostIsIgnoredOverAUnixSocket() {
        let bench = Bench()
        for host in ["", "anything", "127.0.0.1.evil.com"] {
            let request = HTTPRequest(
                method: "GET", target: "/healthz", headers: [HTTPHeaders.Field("Host", host)], transport: .unixSocket)
            #expect(bench.dashboard.respond(to: request).status == 200)
        }
    }

    @Test(arguments: [
        ("127.0.0.1:8089", "http://127.0.0.1:8089", true), ("127.0.0.1:8089", "https://127.0.0.1:8089", true),
        ("localhost", "http://localhost", true), ("localhost:80", "http://localhost", true),
        ("localhost", "https://localhost:443", true), ("[::1]:8089", "http://[::1]:8089", true),
        ("127.0.0.1:8089", "null", false), ("127.0.0.1:8089", "", false), ("127.0.0.1:8089", "http://127.0.0.1", false),
        ("127.0.0.1:8089", "http://127.0.0.1:8090", false), ("127.0.0.1:8089", "http://localhost:8089", false),
        ("127.0.0.1:8089", "http://evil.com", false), ("127.0.0.1:8089", "http://127.0.0.1:8089.evil.com", false),
        ("127.0.0.1:8089", "http://evil.com@127.0.0.1:8089", false), ("127.0.0.1:8089", "file://", false),
        ("localhost", "https://localhost:80", false), ("127.0.0.1:8089", "http://127.0.0.1:8089/", false),
    ])
    func onlyOwnOriginIsAdmitted(_ host: String, _ origin: String, _ isOwn: Bool) {
        let bench = Bench()
        for method in ["GET", "HEAD", "POST", "DELETE", "PUT", "OPTIONS"] {
            let response = bench.send(method, "/api/v1/marks/x", headers: [("Origin", origin)], host: host)
            #expect((response.errorCode != "foreignOrigin") == isOwn, "\(method) \(origin)")
            if !isOwn { #expect(response.status == 403) }
        }
        #expect(bench.registry.allMarks().isEmpty)
    }

    @Test func otherSiteWithoutOriginIsRefused() {
        let bench = Bench()
        let body = #"{"name":"a"}"#
        let json = ("Content-Type", "application/json")
        for (site, status) in [("cross-site", 403), ("same-site", 403), ("same-origin", 201)] {
            let headers = [json, ("Sec-Fetch-Site", site)]
            #expect(bench.send("POST", "/api/v1/marks", headers: headers, body: body).status == status)
        }
    }

    @Test func tooLargeBodyIsRefused() {
        let bench = Bench()
        let json = [("Content-Type", "application/json")]
        let limit = Gate.bodyLimit
        let response = bench.send(
            "POST", "/api/v1/marks", headers: json, body: String(repeating: " ", count: limit + 1))
        #expect(response.status == 413)
        #expect(response.errorCode == "bodyTooLarge")
        let largest = #"{"name":"a"}"# + String(repeating: " ", count: limit - 12)
        #expect(bench.send("POST", "/api/v1/marks", headers: json, body: largest).status == 201)
    }

    @Test func everyAnswerHasTheSecurityHeaders() {
        let bench = Bench(
            gate: GatePolicy(accessToken: "a-secret-of-20-bytes"),
            routes: [
                Route(.get, "/bare", summary: "") { _ in
                    HTTPResponse(status: 200)
                }
            ])
        let bearer = [("Authorization", "Bearer a-secret-of-20-bytes")]
        let responses = [
            bench.send("GET", "/", host: "evil.com"), bench.get("/"), bench.get("/%"),
            bench.get("/?token=a-secret-of-20-bytes"),
            bench.get("/", headers: bearer), bench.get("/bare", headers: bearer),
            bench.get("/nothing", headers: bearer),
            bench.get("/api/v1/events", headers: bearer), bench.get("/metrics", headers: bearer),
            bench.send("DELETE", "/", headers: bearer),
            HTTPResponse.error(status: 431, code: "headersTooLarge", message: "", hint: ""),
        ]
        for response in responses {
            #expect(response.headers.values("X-Content-Type-Options") == ["nosniff"])
            #expect(response.headers.values("Referrer-Policy") == ["no-referrer"])
            #expect(response.headers.values("Cross-Origin-Resource-Policy") == ["same-origin"])
            #expect(response.headers.values("Content-Security-Policy").count == 1)
            #expect(
                response.headers["Content-Security-Policy"]?.hasPrefix("default-src 'none'; script-src 'self'") == true)
            #expect(response.headers.values("Cache-Control").count == 1)
        }
        #expect(bench.get("/api/v1/summary", headers: bearer).headers["Cache-Control"] == "no-store")
    }
}
