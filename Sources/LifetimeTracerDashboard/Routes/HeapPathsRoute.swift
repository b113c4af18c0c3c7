import LifetimeTracer
import RetainPaths

/// The route that finds what holds the objects of a type.
///
/// A capture keeps no objects, so the route starts a search in a new copy of the process. The client polls with the
/// same request.
enum HeapPathsRoute {
    private static let retryAfter = HTTPHeaders.Field("Retry-After", "1")
    private static let retryLater = Route.Header("Retry-After", "Seconds to wait before a retry.", .integer(1...))
    private static let parameters = [
        Route.Parameter(
            "type", .text, "The name or the type of a line of the capture, exactly as the line states it.",
            isRequired: true),
        Route.Parameter(
            "kind", .choice(HeapGraph.Line.Kind.allCases.map(\.rawValue)), "The kind of the line; any by default."),
        Route.Parameter(
            "sample", .integer(1...HeapGraph.largestSample),
            "The most objects to examine, spread evenly over the heap; default \(HeapGraph.usualSample)."),
        Route.Parameter(
            "full", .choice(["0", "1"]),
            "With 1, every step of a path; otherwise steps of little interest are left out."),
        Route.Parameter("fresh", .choice(["0", "1"]), "With 1, searches again and ignores earlier results."),
    ]

    static func routes(_ context: DashboardContext) -> [Route] {
        [
            Route(
                .get, "\(HeapRoutes.listPath)/{id}/paths",
                summary: "What holds the objects of a type now: starts a search, or returns its progress or result.",
                parameters: [HeapRoutes.number] + parameters + PageRequest.parameters + [PageRequest.offset],
                responses: [
                    .json(
                        200, "The result, with a page of paths; those of the most objects first.", WireHeapPaths.self),
                    .json(
                        202, "The progress of the search; poll the URL in Location.", WireStartedHeapPaths.self,
                        headers: [Route.Header("Location", "The URL to poll."), retryLater]),
                    .error(403, "A page of another site sent the request."),
                    .error(404, "There is no such capture, or no such type in it."),
                    .error(429, "Too many searches are running or waiting.", headers: [retryLater]),
                    .error(501, "Retain paths are not available; the error states the reason."),
                    .error(503, "The search failed.", headers: [retryLater]),
                ]
            ) { try paths($0, context) }
        ]
    }

    private static func paths(_ request: RouteRequest, _ context: DashboardContext) throws -> HTTPResponse {
        let id = request.integer("id") ?? 0
        let capture = try context.heapCaptures.state(of: id).capture(id)
        let question = HeapPathQuestion(
            capture: id, type: request.text("type") ?? "", kind: request.text("kind").flatMap(HeapGraph.Line.Kind.init),
            sample: request.integer("sample") ?? HeapGraph.usualSample)
        guard !capture.graph.lines(named: question.type, kind: question.kind).isEmpty else {
            throw RequestError(unknown: question, in: capture.graph)
        }
        let page = try PageRequest(request, hasOffset: true)
        let isFull = request.text("full") == "1"
        let answer = try ask(question, of: capture.graph, afresh: request.text("fresh") == "1", context)
        let clock = WireClock(context.registry, now: context.registry.clock.now())
        switch answer {
        case .found(let finding):
            let groups = page.page(of: finding.paths.groups) { $0.key }
            return .json(
                WireHeapPaths(
                    finding, of: capture,
                    page: groups.map { WireHeapPathGroup($0, of: finding.paths.examined, full: isFull) }, clock))
        case .working(let job):
            var response = HTTPResponse.json(WireStartedHeapPaths(job: WireHeapPathJob(job, clock)), status: 202)
            response.headers.append("Location", location(question, full: isFull))
            response.headers.append(retryAfter.name, retryAfter.value)
            return response
        case .failed(let error):
            throw RequestError(failedSearch: error)
        }
    }

    private static func ask(
        _ question: HeapPathQuestion, of graph: HeapGraph, afresh: Bool, _ context: DashboardContext
    ) throws(RequestError) -> HeapPathAnswer {
        do throws(TooManyRetainJobs) {
            return try context.heapPaths.ask(question, of: graph, afresh: afresh)
        } catch {
            throw RequestError(
                status: 429, code: "tooManySearches",
                message: "\(error.limit) searches for holders of types are running or waiting.",
                hint: "Retry when one of them has ended.", headers: [retryAfter])
        }
    }

    /// The URL of the question without `fresh`, because each poll would otherwise start another search.
    private static func location(_ question: HeapPathQuestion, full: Bool) -> String {
        let query = [
            "type=\(PercentText.encoded(question.type))", question.kind.map { "kind=\($0.rawValue)" },
            question.sample == HeapGraph.usualSample ? nil : "sample=\(question.sample)", full ? "full=1" : nil,
        ]
        return "\(HeapRoutes.listPath)/\(question.capture)/paths?"
            + query.compactMap(\.self).joined(separator: "&")
    }
}

extension RequestError {
    /// Creates the error response for a name that no line of the capture has, or whose blocks have no type.
    fileprivate init(unknown question: HeapPathQuestion, in graph: HeapGraph) {
        let list = "\(HeapRoutes.listPath)/\(question.capture)"
        let isWithoutType =
            !question.type.isEmpty && graph.lines.contains { $0.name == question.type || $0.type == question.type }
        let kind = question.kind.map { " of the kind \($0.rawValue)" } ?? ""
        self.init(
            status: 404, code: "unknownType",
            message: isWithoutType && question.kind == nil
                ? "The blocks of \"\(question.type.shortened)\" have no type by which a search could find them."
                : "Capture \(question.capture) has no line \"\(question.type.shortened)\"\(kind).",
            hint: "See \(list) for the lines; those with \"paths\": true can be searched for.")
    }

    fileprivate init(failedSearch error: RetainPathsError) {
        switch error {
        case .unavailable:
            self.init(
                status: 501, code: "notAvailable", message: "\(error)",
                hint: "The counts of traced types are: /api/v1/types.")
        case .timedOut, .outOfMemory, .failed, .cancelled, .notTraced, .unknownType:
            self.init(
                status: 503, code: "searchFailed", message: "\(error)",
                hint: "Search again with fresh=1.",
                headers: [HTTPHeaders.Field("Retry-After", "1")])
        }
    }
}
