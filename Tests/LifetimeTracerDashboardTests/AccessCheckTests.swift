import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard

/// The check of requests if an access token is configured.
@Suite struct AccessCheckTests {
    private let accessToken = "s3cret; with \"ö\""
    private let encoded = "s3cret%3B%20with%20%22%C3%B6%22"

    private var bench: Bench { Bench(gate: GatePolicy(accessToken: accessToken)) }

    @Test(arguments: ["/", "/app.js", "/healthz", "/metrics", "/api/v1/summary", "/api/v1/events", "/nothing"])
    func requestWithoutAccessTokenIsRefused(_ target: String) {
        let response = bench.get(target)
        #expect(response.status == 401)
        #expect(response.errorCode == "accessTokenRequired")
        #expect(response.headers["WWW-Authenticate"] == "Bearer")
        #expect(response.errorHint.contains("/?token=ACCESS-TOKEN"))
    }

    @Test func bearerAccessTokenIsAccepted() {
        for scheme in ["Bearer", "bearer", "BEARER "] {
            #expect(
                bench.get("/api/v1/summary", headers: [("Authorization", "\(scheme) \(accessToken)")]).status == 200)
        }
    }

    @Test(arguments: [
        "Bearer", "Bearer ", "Bearer s3cret", "Bearer s3cret; with \"ö\"x", "Basic s3cret; with \"ö\"",
        "s3cret; with \"ö\"", "Bearer S3CRET; with \"ö\"", "",
    ])
    func wrongBearerAccessTokenIsRefused(_ value: String) {
        #expect(bench.get("/api/v1/summary", headers: [("Authorization", value)]).status == 401)
    }

    @Test func requestWithTwoAccessTokensIsRefused() {
        let fields = ["wrong", accessToken].map { ("Authorization", "Bearer \($0)") }
        #expect(bench.get("/healthz", headers: fields).status == 401)
        #expect(bench.get("/healthz", headers: fields.reversed()).status == 401)
    }

    @Test func wrongAccessTokenInURLIsRefused() {
        let response = bench.get("/?token=wrong")
        #expect(response.status == 401)
        #expect(response.headers["Set-Cookie"] == nil)
        #expect(bench.get("/?token=").status == 401)
        #expect(bench.get("/api/v1/summary?token=\(encoded)").status == 401)
    }

    @Test func emptyAccessTokenAdmitsNobody() {
        let bench = Bench(gate: GatePolicy(accessToken: ""))
        for value in ["Bearer ", "Bearer", "Bearer x"] {
            #expect(bench.get("/healthz", headers: [("Authorization", value)]).status == 401)
        }
        #expect(bench.get("/?token=").status == 401)
        #expect(bench.get("/healthz", headers: [("Cookie", "lifetime_tracer_session_8089=")]).status == 401)
    }

    @Test func oldLinkRedirectsIfNoAccessTokenIsConfigured() {
        let response = Bench().get("/?token=whatever")
        #expect(response.status == 303)
        #expect(response.headers["Set-Cookie"] == nil)
    }
}
