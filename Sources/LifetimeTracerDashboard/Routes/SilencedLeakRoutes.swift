import LifetimeTracer

/// The routes of the leaks that were acknowledged while the process runs.
enum SilencedLeakRoutes {
    private static let path = "/api/v1/silenced-leaks"
    private static let bodySchema = JSONSchema.object([
        JSONSchema.Property("fingerprint", Fingerprint.schema), JSONSchema.Property("reason", WireSilencedLeak.reasonSchema),
    ]).named("NewSilencedLeak")

    /// Returns the links from a fingerprint.
    private static func links(from pointer: String) -> [Route.Link] {
        [Route.Link("drop", to: .delete, path + "/{fingerprint}", parameters: [("fingerprint", pointer)])]
    }

    static func routes(_ context: DashboardContext) -> [Route] {
        [
            Route(
                .get, path, summary: "The leaks that were silenced while the process runs, oldest first.",
                parameters: PageRequest.parameters, "A page of them.",
                links: links(from: "/silencedLeaks/0/fingerprint")
            ) { request in
                let clock = WireClock(context.registry, now: context.registry.clock.now())
                let page = try PageRequest(request).page(of: context.silencedLeaks.all) { $0.fingerprint.rawValue }
                return WireSilencedLeakList(page: page.map { WireSilencedLeak($0, clock) })
            },
            Route(
                .post, path, summary: "Says that a leak is known, and why, for as long as the process runs.",
                bodySchema: bodySchema, answer: 201, "The leak.", links: links(from: "/fingerprint"),
                errors: [.error(409, "There are too many.")]
            ) { try silence($0, context) },
            Route(
                .delete, path + "/{fingerprint}", summary: "Has a leak reported again.",
                parameters: [
                    Route.Parameter(
                        "fingerprint", .text, "The fingerprint of a silenced leak.", schema: Fingerprint.schema)
                ],
                responses: [
                    Route.Response(204, "It is reported again.", contentType: nil),
                    .error(404, "It is not silenced."),
                ]
            ) { request in
                let text = request.text("fingerprint") ?? ""
                guard let fingerprint = Fingerprint(description: text), context.silencedLeaks.remove(fingerprint) else {
                    throw RequestError.notSilenced(text)
                }
                return HTTPResponse(status: 204)
            },
        ]
    }

    private static func silence(_ request: RouteRequest, _ context: DashboardContext) throws -> WireSilencedLeak {
        let body = try TextBody(
            request.request.body, keys: ["fingerprint", "reason"],
            example: #"{"fingerprint":"8d3f0c5b1a7e9264","reason":"the cache empties itself at midnight"}"#)
        guard let fingerprint = Fingerprint(description: body["fingerprint"]) else {
            throw RequestError.invalidParameter(
                "fingerprint", body["fingerprint"], accepted: "16 hexadecimal digits in lower case")
        }
        let reason = body["reason"]
        guard WireSilencedLeak.reasonLength.contains(reason.unicodeScalars.count), VisibleText.isIn(reason) else {
            throw RequestError.invalidParameter("reason", reason, accepted: "1 to 500 characters that say why")
        }
        let now = context.registry.clock.now()
        let leaking = context.retainSearches.findings.filter { $0.value.explanation.fingerprint == fingerprint }
        let leak = SilencedLeaks.Leak(
            fingerprint: fingerprint, reason: reason, at: now, instances: Set(leaking.keys))
        guard context.silencedLeaks.add(leak) else { throw RequestError.tooManySilenced }
        return WireSilencedLeak(leak, WireClock(context.registry, now: now))
    }
}

extension RequestError {
    fileprivate static func notSilenced(_ fingerprint: String) -> Self {
        Self(
            status: 404, code: "notSilenced", message: "No leak \"\(fingerprint.shortened)\" is silenced.",
            hint: "GET /api/v1/silenced-leaks lists those that are.")
    }

    fileprivate static var tooManySilenced: Self {
        Self(
            status: 409, code: "tooManySilenced", message: "\(SilencedLeaks.limit) leaks are silenced already.",
            hint: "Drop one, or enter them in the file of known leaks.")
    }
}
