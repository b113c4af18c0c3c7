import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard

/// What the API says of a growing type.
@Suite struct GrowthTests {
    private let bench = Bench()

    /// Leaks forty sessions a minute beside a fixed number of flows.
    private func leak(minutes: Int) -> [TracedObject] {
        var objects: [TracedObject] = bench.registry.withCurrent { (0..<900).map { _ in Flow() } }
        for _ in 0..<minutes {
            objects += bench.registry.withCurrent { (0..<40).map { _ in Session() } }
            bench.pass(.seconds(60))
        }
        return objects
    }

    @Test func aGrowingTypeIsListedWithItsReason() throws {
        let objects = leak(minutes: 10)
        let list = try bench.json("/api/v1/growth")
        #expect(list["total"].int == 1)
        let growth = list["growing"][0]
        #expect(growth["subject"].string == "type" && growth["name"].string == "Session")
        #expect(growth["reason"].string == "instances from 10 of the last 10 minutes are still alive; 40 a minute more")
        #expect(growth["perMinute"].double == 40 && growth["live"].int == 400)
        #expect(try bench.json("/api/v1/summary")["verdicts"]["growing"].int == 1)
        withExtendedLifetime(objects) {}
    }

    @Test func growingTypesCanComeFirst() throws {
        let objects = leak(minutes: 10)
        let names = { (query: String) in
            try bench.json("/api/v1/types\(query)")["types"].array.compactMap { $0["name"].string }
        }
        #expect(try names("") == ["Flow", "Session"])
        #expect(try names("?sort=growing") == ["Session", "Flow"])
        #expect(try names("?sort=growing&order=asc") == ["Flow", "Session"])
        let types = try bench.json("/api/v1/types")["types"]
        #expect(types[0]["growing"].bool == false && types[0]["growth"].string == nil)
        #expect(types[1]["growing"].bool == true && types[1]["growth"].string?.hasSuffix("40 a minute more") == true)
        withExtendedLifetime(objects) {}
    }

    @Test func timelineTellsSinceWhenATypeIsGrowing() throws {
        let objects = leak(minutes: 10)
        let list = try bench.json("/api/v1/growth")["growing"][0]
        let lanes = try bench.json("/api/v1/timeline")["lanes"].array
        let session = try #require(lanes.first { $0["type"].string?.hasSuffix("Session") == true })
        #expect(session["growth"].string == list["reason"].string)
        #expect(session["evidenceSince"].string == list["evidenceSince"].string)
        let flow = try #require(lanes.first { $0["type"].string?.hasSuffix("Flow") == true })
        #expect(flow["growth"].string == nil && flow["evidenceSince"].string == nil)
        withExtendedLifetime(objects) {}
    }

    @Test func acknowledgedGrowthIsMarkedAsKnown() throws {
        let objects = leak(minutes: 10)
        let fingerprint = try #require(try bench.json("/api/v1/growth")["growing"][0]["fingerprint"].string)
        let body = #"{"fingerprint":"\#(fingerprint)","reason":"a cache"}"#
        #expect(bench.post("/api/v1/acknowledged-leaks", body).status == 201)
        let known = try bench.json("/api/v1/growth")["growing"][0]["known"]
        #expect(known["reason"].string == "a cache" && known["acknowledged"].bool == true)
        withExtendedLifetime(objects) {}
    }

    @Test func metricsCountWhatIsGrowing() {
        let objects = leak(minutes: 10)
        let metrics = bench.get("/metrics").text
        #expect(metrics.contains("\nlifetime_tracer_growing 1\n"))
        #expect(
            metrics.contains(
                #"lifetime_tracer_verdicts_total{kind="growing",type="LifetimeTracerDashboardTests.Session"} 1"#))
        withExtendedLifetime(objects) {}
    }

    /// The series of the rates of growth, with their values.
    private func rates() throws -> [String: String] {
        try MetricsText.check(bench.get("/metrics").text).filter {
            $0.key.hasPrefix("lifetime_tracer_growing_per_minute")
        }
    }

    @Test func metricsNameEachGrowingSubjectWithItsRate() throws {
        func series(known: Bool) -> String {
            #"lifetime_tracer_growing_per_minute{subject="type",type="LifetimeTracerDashboardTests.Session","#
                + #"event="",known="\#(known)"}"#
        }
        #expect(try rates() == [:])
        let objects = leak(minutes: 10)
        #expect(try rates() == [series(known: false): "40"])
        let fingerprint = try #require(try bench.json("/api/v1/growth")["growing"][0]["fingerprint"].string)
        let body = #"{"fingerprint":"\#(fingerprint)","reason":"a cache"}"#
        #expect(bench.post("/api/v1/acknowledged-leaks", body).status == 201)
        #expect(try rates() == [series(known: true): "40"])
        withExtendedLifetime(objects) {}
    }

    @Test func metricsNameTheEventOfGrowingTokens() throws {
        let session = bench.registry.withCurrent { Session() }
        var tokens: [ObserverToken] = []
        for _ in 0..<10 {
            tokens += (0..<40).map { _ in ObserverToken(.subscription, event: "prices", owner: session) {} }
            bench.pass(.seconds(60))
        }
        let series =
            #"lifetime_tracer_growing_per_minute{subject="tokens",type="LifetimeTracerDashboardTests.Session","#
            + #"event="prices",known="false"}"#
        #expect(try rates() == [series: "40"])
        withExtendedLifetime(tokens) {}
    }

    @Test func theMaximumAgeOfATypeIsListed() throws {
        let session = bench.registry.withCurrent { Session() }
        try bench.registry.setMaximumAge(.seconds(90), for: Session.self)
        bench.pass(.seconds(91))
        #expect(try bench.json("/api/v1/types")["types"][0]["maximumAgeSeconds"].int == 90)
        let group = try bench.json("/api/v1/overdue")["groups"][0]
        #expect(group["reason"].string == "no instance lives longer than 90 s")
        withExtendedLifetime(session) {}
    }
}
