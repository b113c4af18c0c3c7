import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard

/// Pages of other sites cannot change anything, whichever of the two header fields their browser sends.
@Suite struct OtherSiteTests {
    private static let working = [
        "/api/v1/instances/1/retain-path", "/api/v1/instances/1/retain-path?fresh=1", "/api/v1/retain-paths",
        "/api/v1/events",
    ]

    @Test(arguments: working, ["GET", "HEAD"])
    func requestsFromOtherSitesStartNothing(_ target: String, _ method: String) {
        let explainer = HeldExplainer()
        defer { explainer.finishAll() }
        let bench = Bench(explainer: explainer.explainer)
        let session = bench.registry.withCurrent { Session() }
        for field in [
            ("Origin", "http://evil.com"), ("Origin", "null"), ("Sec-Fetch-Site", "cross-site"),
            ("Sec-Fetch-Site", "same-site"),
        ] {
            let response = bench.send(method, target, headers: [field])
            #expect(response.status == 403, "\(field)")
            #expect(response.errorCode == "foreignOrigin")
        }
        let metrics = bench.get("/api/v1/retain-paths")
        #expect(metrics.text.contains(#""running":null,"waiting":0"#), "\(metrics.text)")
        withExtendedLifetime(session) {}
    }

    @Test func theOwnPageAndProgramsAreServed() {
        let bench = Bench()
        let session = bench.registry.withCurrent { Session() }
        for fields in [
            [], [("Sec-Fetch-Site", "same-origin")], [("Sec-Fetch-Site", "none")],
            [("Origin", "http://127.0.0.1:8089"), ("Sec-Fetch-Site", "same-origin")],
        ] {
            #expect(bench.get("/api/v1/retain-paths", headers: fields).status == 200)
            #expect(bench.get("/api/v1/events", headers: fields).status == 200)
        }
        withExtendedLifetime(session) {}
    }

    @Test func aLinkOnAnotherSiteLeadsToThePage() {
        #expect(Bench().get("/", headers: [("Sec-Fetch-Site", "cross-site")]).status == 200)
    }
}
