import Foundation
import LifetimeTracer
import LifetimeTracerDashboard
import Testing

@testable import tracer_server

/// The routes that list and play scenarios.
@Suite struct ScenarioRoutesTests {
    private let dashboard = Dashboard(registry: LifetimeRegistry(), routes: ScenarioRoutes.routes(Catalogue()))

    private func send(_ method: String, _ target: String, _ body: String = "") -> (response: HTTPResponse, text: String)
    {
        var headers: HTTPHeaders = [.init("Host", "localhost")]
        if !body.isEmpty { headers.append("Content-Type", "application/json") }
        let response = dashboard.respond(
            to: HTTPRequest(method: method, target: target, headers: headers, body: Array(body.utf8)))
        guard case .bytes(let bytes) = response.body else { return (response, "") }
        return (response, String(decoding: bytes, as: UTF8.self))
    }

    @Test func scenariosAreListedWithTheirRuns() {
        let (response, text) = send("GET", "/api/v1/scenarios?limit=1")
        #expect(response.status == 200)
        #expect(
            text == """
                {"total":2,"next":"p0-\(Self.key)","scenarios":[{"name":"keyboard-observer",\
                "title":"Notification observers","story":"One sentence. Another one.","resultView":"overview",\
                "forms":[{"form":"leaking","summary":"It leaks.","expects":["1 TextScreen overdue"],\
                "code":"keep(self)\\nkeep(\\"it\\")"},\
                {"form":"mended","summary":"It does not.","expects":[],"code":""}],\
                "runs":[{"id":1,"form":"leaking","state":"done","startedAt":"2023-11-14T22:13:21.000Z",\
                "finishedAt":"2023-11-14T22:13:24.000Z","steps":["pushed TextScreen"]},\
                {"id":2,"form":"leaking","state":"running","startedAt":"2023-11-14T22:13:21.000Z",\
                "finishedAt":null,"steps":["pushed TextScreen"]}]}]}
                """)
    }

    private static let key = String(StableHash.of("keyboard-observer"), radix: 16)

    @Test func startedRunIsAnswered() {
        let (response, text) = send("POST", "/api/v1/scenarios/keyboard-observer/leaking")
        #expect(response.status == 202)
        #expect(
            text == """
                {"run":{"id":3,"form":"leaking","state":"running","startedAt":"2023-11-14T22:13:21.000Z",\
                "finishedAt":null,"steps":["pushed TextScreen"]}}
                """)
    }

    @Test(arguments: [
        ("/api/v1/scenarios/nothing/leaking", 404, "unknownScenario", "keyboard-observer, busy"),
        ("/api/v1/scenarios/keyboard-observer/broken", 404, "unknownScenario", "leaking, mended"),
        ("/api/v1/scenarios/busy/mended", 429, "tooManyRuns", "Retry when a run has ended"),
        ("/api/v1/scenarios/busy/mended?x=1", 400, "unknownParameter", "This route has no parameters."),
        ("/api/v1/scenarios/busy", 404, "notFound", "POST /api/v1/scenarios/{name}/{form}"),
    ])
    func invalidScenarioRequestIsRefused(_ target: String, _ status: Int, _ code: String, _ hint: String) {
        let (response, text) = send("POST", target)
        #expect(response.status == status)
        #expect(text.contains(#""code":"\#(code)""#) && text.contains(hint), "\(text)")
        #expect((response.headers["Retry-After"] != nil) == (status == 429))
    }

    @Test(arguments: [
        ("", 202), ("{}", 202), (#"{"a":[1]}"#, 202), ("{", 400), ("x", 400), ("{} x", 400), (" ", 400),
        (#"{"a":1,"a":2}"#, 400),
    ])
    func malformedBodyOfScenarioIsRefused(_ body: String, _ status: Int) {
        let (response, text) = send("POST", "/api/v1/scenarios/keyboard-observer/leaking", body)
        #expect(response.status == status)
        #expect(text.contains(#""code":"malformedBody""#) == (status == 400), "\(text)")
    }
}
