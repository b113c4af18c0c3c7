import LifetimeTracer
import RetainPaths

/// The routes of captures of the heap.
///
/// A capture takes longer than a request may. Therefore the first response says that the capture has begun, and the
/// client polls the URL of the capture.
enum HeapRoutes {
    static let listPath = "/api/v1/heaps"
    private static let retryAfter = HTTPHeaders.Field("Retry-After", "1")
    private static let retryLater = Route.Header("Retry-After", "Seconds to wait before a retry.", .integer(1...))
    private static let askAgain = [Route.Header("Location", "The URL to poll."), retryLater]
    static let number = Route.Parameter("id", .integer(HeapNumber.range), "The number of a capture.")

    static func routes(_ context: DashboardContext) -> [Route] {
        [
            Route(
                .post, listPath,
                summary: "Starts a capture: counts all blocks of the heap by type, finds what keeps them, and leaks.",
                responses: [
                    .json(
                        202, "The capture has begun; poll the URL in Location.", WireStartedHeap.self,
                        headers: askAgain, links: links(from: "/job/id")),
                    .error(409, "Another capture is running."),
                ]
            ) { _ in try start(context) },
            Route(
                .get, listPath, summary: "The kept captures, newest first, and the running one.",
                parameters: PageRequest.parameters, "A page of the captures.", links: links(from: "/heaps/0/id")
            ) { try list($0, context) },
            Route(
                .get, "\(listPath)/{id}", summary: "A capture: objects and bytes by type, or the progress.",
                parameters: [number] + HeapLineQuery.parameters + PageRequest.parameters + [PageRequest.offset],
                responses: [
                    .json(
                        200, "The capture, with a page of its lines.", WireHeapLines.self,
                        links: [
                            Route.Link(
                                "paths", to: .get, "\(listPath)/{id}/paths",
                                parameters: [("id", "/heap/id"), ("type", "/types/0/name")])
                        ]),
                    .json(
                        202, "The progress of the capture; poll the URL in Location.", WireStartedHeap.self,
                        headers: askAgain),
                    missing, .error(501, "Captures are not available; the error states the reason."),
                    .error(503, "The capture failed.", headers: [retryLater]),
                ]
            ) { try capture($0, context) },
            Route(
                .delete, "\(listPath)/{id}", summary: "Cancels a running capture, or drops a kept one.",
                parameters: [number],
                responses: [Route.Response(204, "The capture is cancelled or dropped.", contentType: nil), missing]
            ) { request in
                let id = request.integer("id") ?? 0
                let state = context.heapCaptures.state(of: id)
                switch state {
                case .running, .kept: context.heapCaptures.drop(id)
                default: throw RequestError(noCapture: id, state)
                }
                return HTTPResponse(status: 204)
            },
        ]
    }

    static let missing = Route.Response.error(404, "There is no such capture: it was cancelled or dropped.")

    private static func links(from pointer: String) -> [Route.Link] {
        [
            Route.Link("capture", to: .get, "\(listPath)/{id}", parameters: [("id", pointer)]),
            Route.Link("leaks", to: .get, "\(listPath)/{id}/leaks", parameters: [("id", pointer)]),
            Route.Link("dominators", to: .get, "\(listPath)/{id}/dominators", parameters: [("id", pointer)]),
            Route.Link("tasks", to: .get, "\(listPath)/{id}/tasks", parameters: [("id", pointer)]),
            Route.Link("drop", to: .delete, "\(listPath)/{id}", parameters: [("id", pointer)]),
        ]
    }

    private static func start(_ context: DashboardContext) throws -> HTTPResponse {
        guard let job = context.heapCaptures.start() else {
            let running = context.heapCaptures.running?.id
            throw RequestError(
                status: 409, code: "captureRunning",
                message: "Only one capture runs at a time\(running.map { ", and capture \($0) is running" } ?? "").",
                hint: running.map { "Poll \(listPath)/\($0), or cancel the capture with DELETE." } ?? "Retry.")
        }
        return working(job, context)
    }

    private static func working(_ job: HeapJob, _ context: DashboardContext) -> HTTPResponse {
        let clock = WireClock(context.registry, now: context.registry.clock.now())
        var response = HTTPResponse.json(WireStartedHeap(job: WireHeapJob(job, clock)), status: 202)
        response.headers.append("Location", "\(listPath)/\(job.id)")
        response.headers.append(retryAfter.name, retryAfter.value)
        return response
    }

    private static func list(_ request: RouteRequest, _ context: DashboardContext) throws -> WireHeapList {
        let clock = WireClock(context.registry, now: context.registry.clock.now())
        let (captures, dropped) = context.heapCaptures.kept
        let page = try PageRequest(request).page(of: Array(captures.reversed()), inKeyOrder: .descending) {
            UInt64($0.id)
        }
        return WireHeapList(
            page: page.map { WireHeap($0, clock) },
            running: context.heapCaptures.running.map { WireHeapJob($0, clock) },
            dropped: dropped)
    }

    private static func capture(_ request: RouteRequest, _ context: DashboardContext) throws -> HTTPResponse {
        let id = request.integer("id") ?? 0
        let state = context.heapCaptures.state(of: id)
        if case .running(let job) = state { return working(job, context) }
        let capture = try state.capture(id)
        let page = try PageRequest(request, hasOffset: true)
        let lines = page.page(of: HeapLineQuery(request).lines(of: capture.graph)) { $0.key }
        let clock = WireClock(context.registry, now: context.registry.clock.now())
        return .json(
            WireHeapLines(heap: WireHeap(capture, clock), page: lines.map { WireHeapLine($0, of: capture.graph) }))
    }
}

extension HeapState {
    /// Returns the kept capture.
    ///
    /// - Throws: ``RequestError`` if there is none.
    func capture(_ id: Int) throws(RequestError) -> HeapCapture {
        switch self {
        case .kept(let capture): return capture
        case .failed(let error): throw RequestError(failedCapture: error)
        case .running, .cancelled, .dropped, .unknown: throw RequestError(noCapture: id, self)
        }
    }
}

extension RequestError {
    /// Creates the error response for a capture without a result.
    fileprivate init(noCapture id: Int, _ state: HeapState) {
        let list = "See \(HeapRoutes.listPath) for the kept captures; POST \(HeapRoutes.listPath) starts another one."
        switch state {
        case .running:
            self.init(
                status: 404, code: "captureRunning", message: "Capture \(id) has not ended yet.",
                hint: "Poll \(HeapRoutes.listPath)/\(id).")
        case .cancelled:
            self.init(status: 404, code: "captureCancelled", message: "Capture \(id) was cancelled.", hint: list)
        case .failed(let error):
            self.init(status: 404, code: "captureFailed", message: "\(error)", hint: list)
        case .dropped:
            self.init(
                status: 404, code: "captureDropped",
                message:
                    "Capture \(id) is no longer kept: a client has deleted it, or it made room for newer captures. At "
                    + "most \(HeapCaptures.keptLimit) captures are kept, and at most \(HeapCaptures.byteLimit >> 20) "
                    + "MiB of them.",
                hint: list)
        case .unknown, .kept:
            self.init(status: 404, code: "unknownCapture", message: "There is no capture \(id).", hint: list)
        }
    }

    fileprivate init(failedCapture error: RetainPathsError) {
        switch error {
        case .unavailable(let reason):
            self.init(
                status: 501, code: "notAvailable", message: "Captures of the heap are not available here: \(reason)",
                hint: "The counts of traced types are: /api/v1/types.")
        case .timedOut, .outOfMemory, .failed, .cancelled, .notTraced, .unknownType:
            self.init(
                status: 503, code: "captureFailed", message: "\(error)",
                hint: "POST \(HeapRoutes.listPath) starts another capture.",
                headers: [HTTPHeaders.Field("Retry-After", "1")])
        }
    }
}
