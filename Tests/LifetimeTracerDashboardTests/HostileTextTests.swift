import Foundation
import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard

/// Malicious texts are returned unchanged.
@Suite struct HostileTextTests {
    private static let texts = [
        "\"},{\"a\":\"", "line\nbreak\r\n\r\nevent: fake\ndata: x", "\u{0}\u{1}\u{1F}\\", "🙂👩‍👩‍👧\u{2028}",
        "<img src=x onerror=alert(1)>", String(repeating: "x\"\n", count: 1666),
    ]

    @Test(arguments: texts)
    func hostileTextIsReturnedUnchanged(_ text: String) throws {
        let bench = Bench()
        let registry = bench.registry
        let session = registry.withCurrent { Session(label: text) }
        let token = ObserverToken(
            TokenKind(rawValue: text), event: text, owner: session, registry: registry
        ) {}
        registry.assign(Session.self, toGroup: text)
        try registry.expectDeallocation(of: session, within: .seconds(1), because: text)
        session.setLifetimeLabel(text)
        bench.pass(.seconds(2))

        let label = String(text.prefix(1000))
        #expect(try bench.json("/api/v1/instances")["instances"][0]["label"].string == label)
        let detail = try bench.json("/api/v1/instances/1")
        #expect(detail["deadlines"][0]["reason"].string == text)
        #expect(detail["tokens"][0]["event"].string == text)
        #expect(try bench.json("/api/v1/tokens")["tokens"][0]["kind"].string == text)
        #expect(try bench.json("/api/v1/tokens?groupBy=event&limit=1")["groups"][0]["event"].string == text)
        #expect(try bench.json("/api/v1/overdue")["groups"][0]["reason"].string == text)
        #expect(try bench.json("/api/v1/types")["groups"][0]["name"].string == text)
        #expect(try bench.json("/api/v1/summary")["tokens"]["byKind"][0]["kind"].string == text)
        token.remove()

        let frames = try Listener(bench.get("/api/v1/events")).takeFrames()
        #expect(frames.compactMap(\.event) == ["hello", "verdict", "tick"])
        let verdict = try JSONSerialization.jsonObject(with: Data((frames[2].data ?? "").utf8)) as? [String: Any]
        #expect(verdict?["reason"] as? String == text)
        try MetricsText.check(bench.get("/metrics").text)
    }

    @Test func markNamesSurviveTheURLPath() throws {
        let bench = Bench()
        for name in ["a/b", "a?b&c=d#e", "100 %", "...", "🙂", "\"", String(repeating: "n", count: 100)] {
            let body = try JSONSerialization.data(withJSONObject: ["name": name])
            #expect(bench.post("/api/v1/marks", String(decoding: body, as: UTF8.self)).status == 201)
            #expect(try bench.json("/api/v1/marks")["marks"][0]["name"].string == name)
            let encoded = try #require(name.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            #expect(try bench.json("/api/v1/diff?from=\(encoded)")["from"]["name"].string == name)
            #expect(bench.send("DELETE", "/api/v1/marks/\(encoded)").status == 204)
            #expect(bench.registry.allMarks().isEmpty)
        }
    }
}
