import LifetimeTracer

/// The routes of the leaks that were acknowledged while the process runs.
enum AcknowledgedLeakRoutes {
    private static let path = "/api/v1/acknowledged-leaks"
    private static let bodySchema = JSONSchema.object([
        JSONSchema.Property("fingerprint", Fingerprint.schema),
        JSONSchema.Property("reason", WireAcknowledgedLeak.reasonSchema),
    ]).named("NewAcknowledgement")

    /// Returns the links from a fingerprint.
    private static func links(from pointer: String) -> [Route.Link] {
        [Route.Link("drop", to: .delete, path + "/{fingerprint}", parameters: [("fingerprint", pointer)])]
    }

    static func routes(_ context: DashboardContext) -> [Route] {
        [
            Route(
                .get, path, summary: "The leaks acknowledged since the process started, oldest first.",
                parameters: PageRequest.parameters, "A page of the leaks.",
                links: links(from: "/acknowledgedLeaks/0/fingerprint")
            ) { request in
                let clock = WireClock(context.registry, now: context.registry.clock.now())
                let page = try PageRequest(request).page(of: context.acknowledgedLeaks.all) { $0.fingerprint.rawValue }
                return WireAcknowledgedLeakList(page: page.map { WireAcknowledgedLeak($0, clock) })
            },
            Route(
                .post, path, summary: "Acknowledges a leak, with a reason, until the process ends.",
                bodySchema: bodySchema, answer: 201, "The leak.", links: links(from: "/fingerprint"),
                errors: [.error(409, "Too many leaks are acknowledged.")]
            ) { try acknowledge($0, context) },
            Route(
                .delete, path + "/{fingerprint}",
                summary: "Ends the acknowledgement of a leak, so that it is reported again.",
                parameters: [
                    Route.Parameter(
                        "fingerprint", .text, "The fingerprint of an acknowledged leak.", schema: Fingerprint.schema)
                ],
                responses: [
                    Route.Response(204, "The leak is reported again.", contentType: nil),
                    .error(404, "The leak is not acknowledged."),
                ]
            ) { request in
                let text = request.text("fingerprint") ?? ""
                guard let fingerprint = Fingerprint(description: text), context.acknowledgedLeaks.remove(fingerprint)
                else {
                    throw RequestError.notAcknowledged(text)
                }
                return HTTPResponse(status: 204)
            },
        ]
    }

    private static func acknowledge(_ request: RouteRequest, _ context: DashboardContext) throws -> WireAcknowledgedLeak
    {
        let body = try TextBody(
            request.request.body, keys: ["fingerprint", "reason"],
            example: #"{"fingerprint":"8d3f0c5b1a7e9264","reason":"the cache empties itself at midnight"}"#)
        guard let fingerprint = Fingerprint(description: body["fingerprint"]) else {
            throw RequestError.invalidParameter(
                "fingerprint", body["fingerprint"], accepted: "16 hexadecimal digits in lower case")
        }
        let reason = body["reason"]
        guard WireAcknowledgedLeak.reasonLength.contains(reason.unicodeScalars.count), VisibleText.isIn(reason) else {
            throw RequestError.invalidParameter("reason", reason, accepted: "1 to 500 characters that state the reason")
        }
        let now = context.registry.clock.now()
        let leaking = context.retainSearches.findings.filter { $0.value.explanation.fingerprint == fingerprint }
        let leak = AcknowledgedLeaks.Leak(
            fingerprint: fingerprint, reason: reason, at: now, instances: Set(leaking.keys))
        guard context.acknowledgedLeaks.add(leak) else { throw RequestError.tooManyAcknowledged }
        return WireAcknowledgedLeak(leak, WireClock(context.registry, now: now))
    }
}

extension RequestError {
    fileprivate static func notAcknowledged(_ fingerprint: String) -> Self {
        Self(
            status: 404, code: "notAcknowledged",
            message: "No acknowledged leak has the fingerprint \"\(fingerprint.shortened)\".",
            hint: "GET /api/v1/acknowledged-leaks lists the acknowledged leaks.")
    }

    fileprivate static var tooManyAcknowledged: Self {
        Self(
            status: 409, code: "tooManyAcknowledged",
            message: "The limit of \(AcknowledgedLeaks.limit) acknowledged leaks is reached.",
            hint: "Remove an acknowledged leak, or add the leaks to the file of known leaks.")
    }
}
