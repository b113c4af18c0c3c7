import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard

/// The OpenAPI description of the API: every response conforms to it, and its links lead from one route to the next.
@Suite struct OpenAPITests {
    /// A request and the expected status of its response.
    private struct Request {
        let method: String
        let target: String
        let status: Int
        var body = ""
    }

    private let requests: [Request] =
        [
            "/healthz", "/api/v1/summary", "/api/v1/types", "/api/v1/instances", "/api/v1/instances/2",
            "/api/v1/tokens",
            "/api/v1/tokens?groupBy=event", "/api/v1/tokens?groupBy=ownerType", "/api/v1/overdue", "/api/v1/history",
            "/api/v1/timeline", "/api/v1/marks", "/api/v1/invariants", "/api/v1/growth", "/api/v1/diff?from=before",
            "/api/v1/retain-paths", "/api/v1/process?since=60", "/api/v1/types?budget=over",
            "/api/v1/acknowledged-leaks", "/caches", "/api/v1/openapi.json",
            "/api/v1/instances/2/retain-path", "/api/v1/heaps", "/api/v1/heaps/1", "/api/v1/heaps/diff?from=1&to=2",
            "/api/v1/heaps/2/leaks", "/api/v1/heaps/2/dominators?levels=3", "/api/v1/heaps/2/paths?type=TextScreen",
            "/api/v1/heaps/2/tasks",
        ].map { Request(method: "GET", target: $0, status: 200) } + [
            Request(method: "GET", target: "/api/v1/instances/6", status: 404),
            Request(method: "GET", target: "/api/v1/instances/4711", status: 404),
            Request(method: "GET", target: "/api/v1/types?sorrt=live", status: 400),
            Request(method: "GET", target: "/api/v1/tokens?event=none", status: 404),
            Request(method: "POST", target: "/api/v1/marks", status: 201, body: #"{"name":"after"}"#),
            Request(method: "POST", target: "/api/v1/marks", status: 409, body: #"{"name":"before"}"#),
            Request(method: "POST", target: "/api/v1/marks", status: 400, body: #"{"name":"now"}"#),
            Request(
                method: "POST", target: "/api/v1/acknowledged-leaks", status: 201,
                body: #"{"fingerprint":"8d3f0c5b1a7e9264","reason":"the old hub goes"}"#),
            Request(method: "GET", target: "/api/v1/acknowledged-leaks", status: 200),
            Request(method: "POST", target: "/api/v1/retain-paths", status: 202, body: #"{"ids":[2,6]}"#),
            Request(method: "GET", target: "/api/v1/heaps/77", status: 404),
            Request(method: "GET", target: "/api/v1/heaps/2/paths?type=None", status: 404),
            Request(method: "DELETE", target: "/api/v1/heaps/1", status: 204),
            Request(method: "POST", target: "/caches/images/empty", status: 200),
            Request(method: "POST", target: "/caches/none/empty", status: 404),
            Request(method: "DELETE", target: "/api/v1/marks/none", status: 404),
            Request(method: "DELETE", target: "/api/v1/marks/before", status: 204),
            Request(method: "DELETE", target: "/api/v1/acknowledged-leaks/8d3f0c5b1a7e9264", status: 204),
        ]

    @Test func everyAnswerFitsItsSchema() async throws {
        let capturer = HeldCapturer()
        let story = try Story(routes: ProgramRoutes.all, explainer: .madeUp, capturer: capturer.capturer)
        let bench = story.bench
        let check = SchemaCheck(document: try JSONValue(bench.get("/api/v1/openapi.json").bytes))
        var seen = try fit(bench, Request(method: "GET", target: "/api/v1/instances/3/retain-path", status: 202), check)
        _ = try await bench.answer("/api/v1/instances/3/retain-path")
        _ = try await bench.answer("/api/v1/instances/2/retain-path")
        seen.formUnion(try fit(bench, Request(method: "POST", target: "/api/v1/heaps", status: 202), check))
        seen.formUnion(try fit(bench, Request(method: "GET", target: "/api/v1/heaps/1", status: 202), check))
        _ = try fit(bench, Request(method: "POST", target: "/api/v1/heaps", status: 409), check)
        capturer.finishAll()
        _ = try await bench.answer("/api/v1/heaps/1")
        _ = bench.post("/api/v1/heaps")
        _ = try await bench.answer("/api/v1/heaps/2")
        let paths = "/api/v1/heaps/2/paths?type=TextScreen"
        seen.formUnion(try fit(bench, Request(method: "GET", target: paths, status: 202), check))
        _ = try await bench.answer(paths)
        for request in requests { seen.formUnion(try fit(bench, request, check)) }
        // Every successful JSON response must have been tested.
        for route in bench.dashboard.routes {
            for response in route.responses where response.status < 300 {
                guard response.contents.contains(where: { $0.type == "application/json" }) else { continue }
                #expect(seen.contains("\(route.operationID) \(response.status)"))
            }
        }
    }

    /// Sends a request and checks the response against the description.
    ///
    /// - Returns: The operation and the status.
    private func fit(_ bench: Bench, _ request: Request, _ check: SchemaCheck) throws -> Set<String> {
        let answer =
            request.method == "POST"
            ? bench.post(request.target, request.body) : bench.send(request.method, request.target)
        let name = "\(request.method) \(request.target)"
        #expect(answer.status == request.status, "\(name): \(answer.text)")
        let segments = try RequestTarget(request.target).segments
        let route = try #require(
            bench.dashboard.routes.first { $0.method.rawValue == request.method && $0.matches(segments) })
        let operation = try #require(
            check.document["paths"]?[route.path]?[route.method.rawValue.lowercased()], "\(name)")
        let declared = try #require(
            operation["responses"]?[String(answer.status)].map(check.resolved), "\(name) \(answer.status)")
        for field in declared["headers"]?.keys ?? [] where declared["headers"]?[field]?["required"] == .boolean(true) {
            #expect(answer.headers[field] != nil, "\(name) lacks \(field)")
        }
        guard let schema = declared["content"]?["application/json"]?["schema"] else {
            #expect(answer.bytes.isEmpty, "\(name)")
            return []
        }
        #expect(check.findings(try JSONValue(answer.bytes), schema) == [], "\(name)")
        return ["\(route.operationID) \(answer.status)"]
    }

    @Test func everyEventFitsItsSchema() throws {
        let story = try Story()
        let check = SchemaCheck(document: try JSONValue(story.bench.get("/api/v1/openapi.json").bytes))
        let stream = try #require(
            check.document.at("/paths/~1api~1v1~1events/get/responses/200/content/text~1event-stream/schema/oneOf"))
        let listener = try Listener(story.bench.get("/api/v1/events"))
        var seen: Set<String> = []
        for frame in listener.takeAll().split(separator: "\n\n") {
            let lines = frame.split(separator: "\n")
            guard let event = lines.first(where: { $0.hasPrefix("event: ") })?.dropFirst(7),
                let data = lines.first(where: { $0.hasPrefix("data: ") })?.dropFirst(6)
            else { continue }
            let described = stream.elements.first { $0.at("/properties/event/enum/0") == .string(String(event)) }
            let schema = try #require(described?.at("/properties/data/contentSchema"), "\(event)")
            #expect(check.findings(try JSONValue(Array(data.utf8)), schema) == [], "\(event)")
            seen.insert(String(event))
        }
        #expect(seen == ["hello", "tick", "verdict"])
    }

    @Test(arguments: [
        (JSONSchema.integer(0...), JSONSchema.integer, true), (.integer(0...), .number, false),
        (.integer(0...), .integer.orNull, false), (.integer(0...).orNull, .integer, false),
        (.integer(0...).orNull, .integer.orNull, true), (.choice(["a"]), .string(), true),
        (.string(), .integer, false), (.string(length: 1...2).named("A"), .string(), true),
        (.array(of: .integer(0...), count: 0...9), .array(of: .integer), true),
        (.array(of: .string()), .array(of: .integer), false), (.integer.named("A"), .integer.named("B"), false),
    ])
    func customFieldSchemaMayOnlyNarrowItsType(_ schema: JSONSchema, _ type: JSONSchema, _ narrows: Bool) {
        #expect(schema.narrows(type) == narrows)
    }

    @Test func linksReferToExistingOperationsAndValues() throws {
        let bench = Bench(routes: ProgramRoutes.all)
        let routes = bench.dashboard.routes
        let names = Set(routes.map(\.operationID))
        #expect(names.count == routes.count)
        let check = SchemaCheck(document: try JSONValue(bench.get("/api/v1/openapi.json").bytes))
        var targets: Set<String> = []
        for route in routes {
            for response in route.responses {
                for link in response.links {
                    let name = Route.operationID(link.method, link.path)
                    let target = try #require(routes.first { $0.operationID == name }, "\(name)")
                    targets.insert(target.path)
                    for (parameter, pointer) in link.parameters {
                        #expect(target.parameters.contains { $0.name == parameter }, "\(name)")
                        let operation = check.document["paths"]?[route.path]?[route.method.rawValue.lowercased()]
                        let content = operation?["responses"]?[String(response.status)]?["content"]
                        let schema = try #require(content?["application/json"]?["schema"])
                        #expect(leads(pointer, schema, check), "\(route.operationID): \(pointer)")
                    }
                }
            }
        }
        // Every path with parameters can be reached by a link.
        for route in routes where !route.isLiteral { #expect(targets.contains(route.path), "\(route.path)") }
    }

    /// Whether a JSON pointer points to a value that the schema describes.
    private func leads(_ pointer: String, _ schema: JSONValue, _ check: SchemaCheck) -> Bool {
        let schema = check.resolved(schema)
        if let choices = schema["oneOf"] { return choices.elements.contains { leads(pointer, $0, check) } }
        let parts = pointer.split(separator: "/", maxSplits: 1)
        guard let first = parts.first else { return schema["type"] != nil }
        let rest = parts.count > 1 ? "/" + parts[1] : ""
        let next = Int(first) == nil ? schema["properties"]?[String(first)] : schema["items"]
        return next.map { leads(rest, $0, check) } ?? false
    }

    @Test func accessTokenIsDescribedIfConfigured() throws {
        let open = try JSONValue(Bench().get("/api/v1/openapi.json").bytes)
        #expect(open["security"] == nil && open["components"]?["securitySchemes"] == nil)
        #expect(open.at("/paths/~1api~1v1~1summary/get/responses/401") == nil)

        let token = "correct horse battery staple"
        let answer = Bench(gate: GatePolicy(accessToken: token)).get(
            "/api/v1/openapi.json", headers: [("Authorization", "Bearer \(token)")])
        let guarded = try JSONValue(answer.bytes)
        let schemes = guarded["components"]?["securitySchemes"]
        #expect(guarded["security"]?.elements.flatMap(\.keys) == ["accessToken", "session"])
        #expect(schemes?["accessToken"]?["scheme"] == .string("bearer"))
        #expect(schemes?["session"]?["in"] == .string("cookie"))
        #expect(guarded.at("/paths/~1api~1v1~1summary/get/responses/401") != nil)
    }

    @Test func parametersAreDescribedWithTheirConstraints() throws {
        let document = try JSONValue(Bench().get("/api/v1/openapi.json").bytes)
        let id = document.at("/paths/~1api~1v1~1instances~1{id}/get/parameters/0/schema")
        #expect(id?["minimum"]?.int == 1 && id?["maximum"]?.int == .max)
        let name = document.at("/paths/~1api~1v1~1marks~1{name}/delete/parameters/0/schema/$ref")
        #expect(name == .string("#/components/schemas/MarkName"))
        #expect(document.at("/components/schemas/MarkName/maxLength")?.int == 100)
        let event = document.at("/paths/~1api~1v1~1events/get/parameters/0")
        #expect(event?["name"] == .string("Last-Event-ID") && event?["in"] == .string("header"))
        let metrics = document.at("/paths/~1metrics/get/responses/200/content")
        #expect(metrics?.keys == ["application/openmetrics-text", "text/plain"])
    }

    @Test func routesOfTheProgramAreDescribedByTheirOwnSchemas() throws {
        let count = JSONSchema.object([
            JSONSchema.Property("entries", .integer(0...)),
            JSONSchema.Property("note", .string(length: 1...20).orNull, isRequired: false),
        ]).named("Cache")
        let bench = Bench(routes: [
            Route(
                .get, "/caches/{name}", summary: "How full a cache is.",
                parameters: [Route.Parameter("name", .text, "The name of a cache.")],
                responses: [Route.Response(200, "The cache.", schema: count), .error(404, "There is none.")]
            ) { _ in HTTPResponse(status: 200) }
        ])
        let document = try JSONValue(bench.get("/api/v1/openapi.json").bytes)
        let operation = document.at("/paths/~1caches~1{name}/get")
        #expect(operation?["operationId"] == .string("getCachesByName"))
        let body = operation?.at("/responses/200/content/application~1json/schema/$ref")
        #expect(body == .string("#/components/schemas/Cache"))
        #expect(document.at("/components/schemas/Cache/required")?.elements == [.string("entries")])
        #expect(operation?.at("/responses/404/content/application~1json") != nil)
        #expect(operation?.at("/responses/431/$ref") != nil)
    }
}

extension Route {
    fileprivate func matches(_ path: [String]) -> Bool {
        path.count == segments.count
            && zip(path, segments).allSatisfy { text, segment in
                if case .literal(let expected) = segment { expected == text } else { true }
            }
    }
}
