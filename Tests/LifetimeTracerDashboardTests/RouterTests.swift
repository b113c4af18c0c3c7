import Dispatch
import Foundation
import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard

/// Routing of requests, and the errors for requests without a route.
@Suite struct RouterTests {
    @Test(arguments: [
        "/../etc/passwd", "/%2e%2e/", "/%2e%2e/%2e%2e/etc/passwd", "/..", "/.", "//", "/api/v1/summary/",
        "//api/v1/summary",
        "/api/v1/summary%2F", "/api%2Fv1%2Fsummary", "/API/v1/summary", "/api", "/Web/index.html", "/index.html/..",
        "/%2Findex.html", "/app.js/../index.html", "/api/v1/instances/1/2/3",
    ])
    func unknownPathIsNotFound(_ target: String) {
        let response = Bench().get(target)
        #expect(response.status == 404, "\(target)")
        #expect(response.errorCode == "notFound")
        #expect(response.errorHint.contains("GET /api/v1/summary"))
        #expect(response.errorHint.contains("DELETE /api/v1/marks/{name}"))
        #expect(!response.errorHint.contains("/app.js") && !response.errorHint.contains("GET /,"))
    }

    @Test(arguments: [
        "/%00", "/a%00b", "/api/v1/instances/%00", "/%", "/%2", "/%zz", "/%2x", "/api/v1/types?filter=%", "/?a=%00",
        "/%ff", "/%c3%28", "/%ed%a0%80", "/ö", "/a b", "/a\tb", "/a#b", "", "index.html", "http://127.0.0.1/", "*",
        "/?filter=%e2%82", "/%c0%80",
    ])
    func malformedTargetIsRefused(_ target: String) {
        let response = Bench().get(target)
        #expect(response.status == 400, "\(target)")
        #expect(response.errorCode == "malformedTarget")
    }

    @Test(arguments: [
        ("POST", "/api/v1/summary", "GET, HEAD"), ("PUT", "/api/v1/marks", "GET, HEAD, POST"),
        ("DELETE", "/", "GET, HEAD"),
        ("GET", "/api/v1/marks/x", "DELETE"), ("HEAD", "/api/v1/marks/x", "DELETE"),
        ("OPTIONS", "/healthz", "GET, HEAD"),
        ("TRACE", "/", "GET, HEAD"), ("get", "/healthz", "GET, HEAD"), ("PATCH", "/metrics", "GET, HEAD"),
        ("", "/metrics", "GET, HEAD"),
    ])
    func wrongMethodIsRefused(_ method: String, _ target: String, _ allowed: String) {
        let response = Bench().send(method, target)
        #expect(response.status == 405)
        #expect(response.errorCode == "methodNotAllowed")
        #expect(response.headers["Allow"] == allowed)
    }

    @Test func headHasTheSameHeadersAsGet() {
        let bench = Bench(routes: ProgramRoutes.all)
        for route in bench.dashboard.routes where route.method == .get && route.isLiteral {
            let target = route.path == "/api/v1/diff" ? "/api/v1/diff?from=none" : route.path
            let head = bench.send("HEAD", target)
            let get = bench.get(target)
            #expect(head.status == get.status, "\(target)")
            #expect(head.headers.fields == get.headers.fields, "\(target)")
            if case .stream = head.body { Issue.record("\(target) opens a stream for HEAD") }
            if case .stream = get.body { continue }
            #expect(head.bytes.count == get.bytes.count, "\(target)")
        }
    }

    @Test(
        arguments: [
            ("/api/v1/summary?x=1", "unknownParameter", "This route has no parameters."),
            ("/?x=1", "unknownParameter", "Known parameters: token."),
            (
                "/api/v1/types?sorrt=live", "unknownParameter",
                "Known parameters: sort, order, filter, group, budget, maximumAge, limit, after, offset."
            ),
            ("/api/v1/types?Sort=live", "unknownParameter", "Known parameters: sort, order"),
            ("/api/v1/instances/1?id=1", "unknownParameter", "This route has no parameters."),
            ("/api/v1/types?", nil, ""),
            ("/api/v1/types?&", "unknownParameter", "Known parameters"),
            ("/api/v1/types?sort=live&sort=name", "repeatedParameter", "once"),
            ("/api/v1/types?sort=live&so%72t=live", "repeatedParameter", "once"),
            (
                "/api/v1/types?sort=size", "invalidParameter",
                "live, name, module, peak, born, died, shallowBytes, oldestAge"
            ),
            ("/api/v1/types?sort=", "invalidParameter", "live, name"),
            ("/api/v1/types?order=up", "invalidParameter", "asc, desc"),
            ("/api/v1/types?group=none", "unknownName", "Known values: none so far."),
            ("/api/v1/types?limit=0", "invalidParameter", "from 1 to 500"),
            ("/api/v1/types?limit=501", "invalidParameter", "from 1 to 500"),
            ("/api/v1/types?limit=-1", "invalidParameter", "from 1 to 500"),
            ("/api/v1/types?limit=%2B5", "invalidParameter", "from 1 to 500"),
            ("/api/v1/types?limit=1e2", "invalidParameter", "from 1 to 500"),
            ("/api/v1/types?limit=99999999999999999999", "invalidParameter", "from 1 to 500"),
            ("/api/v1/types?after=x", "invalidParameter", "`next` on the previous page"),
            ("/api/v1/types?after=p-1-1", "invalidParameter", "`next`"),
            ("/api/v1/types?after=p1-01", "invalidParameter", "`next`"),
            ("/api/v1/types?after=", "invalidParameter", "`next`"),
            ("/api/v1/instances?verdict=bad", "invalidParameter", "overdue, orphan-owner, over-budget, none"),
            ("/api/v1/instances?type=Nothing", "unknownName", "Known values: none so far."),
            ("/api/v1/instances?olderThan=-1", "invalidParameter", "from 0 to"),
            ("/api/v1/instances?olderThan=inf", "invalidParameter", "from 0 to"),
            ("/api/v1/instances?olderThan=nan", "invalidParameter", "from 0 to"),
            ("/api/v1/instances?olderThan=0x10", "invalidParameter", "from 0 to"),
            ("/api/v1/instances?olderThan=1.", "invalidParameter", "from 0 to"),
            ("/api/v1/instances?olderThan=1e", "invalidParameter", "from 0 to"),
            ("/api/v1/instances?olderThan=--1", "invalidParameter", "from 0 to"),
            ("/api/v1/instances?olderThan=1e99", "invalidParameter", "from 0 to"),
            ("/api/v1/instances?olderThan=1.5e-3", nil, ""),
            ("/api/v1/instances?olderThan=-0.0", nil, ""),
            ("/api/v1/instances?bornAfterMark=m", "unknownMark", "No marks exist"),
            ("/api/v1/instances/abc", "invalidParameter", "a whole number from 1"),
            ("/api/v1/instances/0", "invalidParameter", "a whole number from 1"),
            ("/api/v1/instances/-1", "invalidParameter", "a whole number from 1"),
            ("/api/v1/instances/1", "unknownInstance", "No instance has been born"),
            ("/api/v1/instances/9/retain-path", "unknownInstance", "No instance has been born"),
            ("/api/v1/instances/x/retain-path", "invalidParameter", "a whole number from 1"),
            ("/api/v1/instances/9/retain-path?full=yes", "invalidParameter", "0, 1"),
            ("/api/v1/instances/9/retain-path?fresh=", "invalidParameter", "0, 1"),
            ("/api/v1/instances/9/retain-path?deep=1", "unknownParameter", "full, fresh"),
            ("/api/v1/retain-paths?full=2", "invalidParameter", "0, 1"),
            ("/api/v1/retain-paths?limit=0", "invalidParameter", "from 1 to 500"),
            ("/api/v1/retain-paths", nil, ""),
            ("/api/v1/heaps", nil, ""),
            ("/api/v1/heaps/0", "invalidParameter", "from 1 to"),
            ("/api/v1/heaps/1", "unknownCapture", "POST /api/v1/heaps starts another one"),
            ("/api/v1/heaps/1?sort=type", "invalidParameter", "bytes, count, name"),
            ("/api/v1/heaps/1?kind=clas", "invalidParameter", "class, actor, storage"),
            ("/api/v1/heaps/1/leaks", "unknownCapture", "POST /api/v1/heaps starts another one"),
            ("/api/v1/heaps/1/leaks?kind=loop", "invalidParameter", "cycle, uncertainCycle, overRetained"),
            ("/api/v1/heaps/diff", "invalidParameter", "The number of the earlier capture."),
            ("/api/v1/heaps/diff?from=1", "unknownCapture", "POST /api/v1/heaps"),
            ("/api/v1/tokens?state=gone", "invalidParameter", "inForce, orphaned"),
            ("/api/v1/tokens?groupBy=kind", "invalidParameter", "event, ownerType"),
            ("/api/v1/tokens?groupBy=event&state=inForce", nil, ""),
            ("/api/v1/tokens?event=x", "unknownName", "Known values: none so far."),
            ("/api/v1/tokens?kind=x", "unknownName", "hub, notification, request, subscription, timer"),
            ("/api/v1/tokens?ownerType=x", "unknownName", "Known values: none so far."),
            ("/api/v1/tokens?kind=timer", nil, ""),
            ("/api/v1/history?since=0", "invalidParameter", "from 1"),
            ("/api/v1/history?step=0", "invalidParameter", "from 1 to 3600"),
            ("/api/v1/diff", "invalidParameter", "The name of the earlier mark. Accepted: no marks yet"),
            ("/api/v1/diff?from=now", "invalidParameter", "only `to` accepts `now`"),
            ("/api/v1/diff?from=none", "unknownMark", "No marks exist"),
        ] as [(String, String?, String)])
    func parametersAreValidated(_ target: String, _ code: String?, _ hint: String) {
        let response = Bench().get(target)
        #expect(response.errorCode == code, "\(target): \(response.text)")
        guard let code else { return }
        let missing = ["unknownMark", "unknownInstance", "unknownName", "unknownCapture"]
        let status = missing.contains(code) ? 404 : code == "notAvailable" ? 501 : 400
        #expect(response.status == status)
        #expect(response.errorHint.contains(hint), "\(response.errorHint)")
    }

    @Test func retainPathRouteDistinguishesLiveDeadAndUnknown() throws {
        let story = try Story()
        #expect(story.bench.get("/api/v1/instances/2/retain-path").status == 202)
        #expect(story.bench.get("/api/v1/instances/6/retain-path").errorCode == "instanceDied")
        let unknown = story.bench.get("/api/v1/instances/99999999/retain-path")
        #expect(unknown.status == 404)
        #expect(unknown.errorCode == "unknownInstance")
    }

    @Test func deadInstanceWithIdAboveBirthCountIsReportedAsDead() async {
        // In a process of its own: only the shared registry reserves ids for threads.
        await #expect(processExitsWith: .success) {
            final class Session: TracedObject {}
            for _ in 0..<100 { _ = Session() }
            let id = Locked(InstanceID(rawValue: 0))
            let hasEnded = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                let session = Session()
                id.withLock { $0 = session.lifetimeID }
                hasEnded.signal()
            }
            hasEnded.wait()
            let registry = LifetimeRegistry.shared
            let last = id.withLock { $0 }
            #expect(last.rawValue > registry.snapshot().born, "the first thread has not used all ids reserved for it")
            let dashboard = Dashboard(registry: registry)
            for (number, code) in [(last.rawValue, "instanceDied"), (last.rawValue + 1000, "unknownInstance")] {
                let answer = dashboard.respond(
                    to: HTTPRequest(
                        method: "GET", target: "/api/v1/instances/\(number)",
                        headers: HTTPHeaders([HTTPHeaders.Field("Host", "127.0.0.1")])))
                #expect(answer.errorCode == code, "\(number): \(answer.text)")
            }
        }
    }

    @Test func longValuesAreCutInMessages() {
        let long = String(repeating: "x", count: 5000)
        for target in ["/\(long)", "/api/v1/types?\(long)=1", "/api/v1/types?limit=\(long)", "/%\(long)"] {
            #expect(Bench().get(target).errorMessage.count < 300)
        }
    }

    @Test func errorsOfRoutesBecomeResponses() {
        struct Odd: Error {}
        let bench = Bench(routes: [
            Route(.get, "/odd", summary: "") { _ in throw Odd() },
            Route(.get, "/teapot", summary: "") { _ in
                throw RequestError(status: 418, code: "teapot", message: "m", hint: "h")
            },
        ])
        #expect(bench.get("/odd").status == 500)
        #expect(bench.get("/odd").errorCode == "internalError")
        #expect(bench.get("/teapot").status == 418)
        #expect(bench.get("/teapot").errorCode == "teapot")
    }

    @Test func routesOfTheProgramAreServedBehindTheGate() {
        let bench = Bench(routes: [
            Route(
                .post, "/demo/{what}", summary: "",
                parameters: [
                    Route.Parameter("what", .text, ""),
                    Route.Parameter("seconds", .number(0...60), "", isRequired: true),
                ]
            ) { request in
                .json("\(request.text("what") ?? "") \(request.number("seconds") ?? -1)")
            }
        ])
        #expect(bench.post("/demo/slow%2Fly?seconds=1.5").text == #""slow/ly 1.5""#)
        #expect(bench.post("/demo/slow").errorCode == "invalidParameter")
        #expect(bench.send("POST", "/demo/slow?seconds=1", host: "evil.com").status == 421)
        #expect(bench.send("POST", "/demo/slow?seconds=1", headers: [("Origin", "null")]).status == 403)
        #expect(bench.get("/nothing").errorHint.contains("POST /demo/{what}"))
    }

    @Test func openAPIListsExactlyTheRoutes() throws {
        let bench = Bench(routes: ProgramRoutes.all)
        let document = try bench.json("/api/v1/openapi.json")
        #expect(document["openapi"].string == "3.1.0")
        let listed = document["paths"].keys.flatMap { path in
            document["paths"][path].keys.map { "\($0.uppercased()) \(path)" }
        }
        let routes = bench.dashboard.routes.map { "\($0.method.rawValue) \($0.path)" }
        #expect(listed.sorted() == routes.sorted())
        #expect(routes.contains("GET /api/v1/openapi.json"))
        #expect(routes.contains("POST /caches/{name}/empty"))
        for route in bench.dashboard.routes {
            let operation = document["paths"][route.path][route.method.rawValue.lowercased()]
            let described = operation["parameters"].array.compactMap { $0["name"].string }
            #expect(described == route.parameters.map(\.name) + route.requestHeaders.map(\.name))
            #expect(operation["responses"].keys.isSuperset(of: route.responses.map { String($0.status) }))
        }
    }
}
