import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard

/// What a configured token asks of requests.
@Suite struct TokenCheckTests {
    private let token = "s3cret; with \"ö\""
    private let encodedToken = "s3cret%3B%20with%20%22%C3%B6%22"

    private var bench: Bench { Bench(gate: GatePolicy(token: token)) }

    @Test(arguments: ["/", "/app.js", "/healthz", "/metrics", "/api/v1/summary", "/api/v1/events", "/nothing"])
    func withoutToken(_ target: String) {
        let response = bench.get(target)
        #expect(response.status == 401)
        #expect(response.errorCode == "tokenRequired")
        #expect(response.headers["WWW-Authenticate"] == "Bearer")
        #expect(response.errorHint.contains("/?token=TOKEN"))
    }

    @Test func bearer() {
        for scheme in ["Bearer", "bearer", "BEARER "] {
            #expect(bench.get("/api/v1/summary", headers: [("Authorization", "\(scheme) \(token)")]).status == 200)
        }
    }

    @Test(arguments: [
        "Bearer", "Bearer ", "Bearer s3cret", "Bearer s3cret; with \"ö\"x", "Basic s3cret; with \"ö\"",
        "s3cret; with \"ö\"", "Bearer S3CRET; with \"ö\"", "",
    ])
    func wrongBearer(_ value: String) {
        #expect(bench.get("/api/v1/summary", headers: [("Authorization", value)]).status == 401)
    }

    @Test func cookie() throws {
        let bench = bench
        let entered = bench.get("/?token=\(encodedToken)")
        #expect(entered.status == 303)
        #expect(entered.headers["Location"] == "/")
        let cookie = try #require(entered.headers["Set-Cookie"])
        #expect(cookie.hasSuffix("; HttpOnly; SameSite=Strict; Path=/"))
        let pair = String(cookie.prefix { $0 != ";" })
        #expect(bench.get("/api/v1/summary", headers: [("Cookie", pair)]).status == 200)
        #expect(bench.get("/api/v1/summary", headers: [("Cookie", "a=b; \(pair); c=d")]).status == 200)
        #expect(bench.get("/api/v1/summary", headers: [("Cookie", pair + "0")]).status == 401)
        #expect(bench.get("/api/v1/summary", headers: [("Cookie", String(pair.dropLast(2)))]).status == 401)
        #expect(bench.get("/api/v1/summary", headers: [("Cookie", "x" + pair)]).status == 401)
        // A program on another port of the same host has a cookie of its own.
        #expect(bench.send("GET", "/healthz", headers: [("Cookie", pair)], host: "127.0.0.1:9000").status == 401)
    }

    @Test func wrongTokenInTheAddress() {
        let response = bench.get("/?token=wrong")
        #expect(response.status == 401)
        #expect(response.headers["Set-Cookie"] == nil)
        #expect(bench.get("/?token=").status == 401)
        #expect(bench.get("/api/v1/summary?token=\(encodedToken)").status == 401)
    }

    @Test func cookieDoesNotOpenForStrangers() throws {
        let bench = bench
        let cookie = try #require(bench.get("/?token=\(encodedToken)").headers["Set-Cookie"]).prefix { $0 != ";" }
        let headers = [("Cookie", String(cookie)), ("Origin", "http://evil.com")]
        #expect(bench.send("POST", "/api/v1/marks", headers: headers).status == 403)
    }

    @Test func emptyTokenAdmitsNobody() {
        let bench = Bench(gate: GatePolicy(token: ""))
        for value in ["Bearer ", "Bearer", "Bearer x"] {
            #expect(bench.get("/healthz", headers: [("Authorization", value)]).status == 401)
        }
        #expect(bench.get("/?token=").status == 401)
        #expect(bench.get("/healthz", headers: [("Cookie", "lifetime_tracer_token_8089=")]).status == 401)
    }

    @Test func oldLinkWhereNoTokenIsAskedFor() {
        let response = Bench().get("/?token=whatever")
        #expect(response.status == 303)
        #expect(response.headers["Set-Cookie"] == nil)
    }
}
