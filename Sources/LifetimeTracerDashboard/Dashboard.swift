import LifetimeTracer
import RetainPaths

/// Serves a registry over HTTP: answers requests for the page, the JSON API, the events and the metrics.
///
/// A dashboard opens no sockets. ``respond(to:)`` maps a request to a response, so the dashboard can be mounted in any
/// server. The library `LifetimeTracerServer` contains a ready-made server.
public struct Dashboard: Sendable {
    let registry: LifetimeRegistry
    private let gate: Gate
    private let router: Router

    /// Creates a dashboard.
    ///
    /// Starts the registry's history and runs the tracer's self-test once. The self-test takes about a millisecond and
    /// must not run in a verdict observer.
    ///
    /// - Parameters:
    ///   - registry: The registry to show. The dashboard retains it.
    ///   - gate: The clients to admit.
    ///   - retainPaths: The limits of a search for retain paths and of a capture of the heap, and the known leaks. Both
    ///     run only on request.
    public init(
        registry: LifetimeRegistry = .shared, gate: GatePolicy = GatePolicy(),
        retainPaths: RetainPaths.Options = RetainPaths.Options()
    ) {
        self.init(registry: registry, gate: gate, routes: [], retainPaths: retainPaths)
    }

    /// Creates a dashboard with routes besides its own.
    ///
    /// The routes pass the same gate and are part of the API's description. The first event of a stream lists their
    /// paths, from which the page learns of them. Two routes with the same method and path are a programming error, and
    /// trap.
    package init(
        registry: LifetimeRegistry = .shared, gate: GatePolicy = GatePolicy(), routes: [Route],
        retainPaths: RetainPaths.Options = RetainPaths.Options()
    ) {
        self.init(
            DashboardContext(
                registry: registry,
                process: .current(fallbackStart: registry.wallTime(at: registry.startedAt)),
                selfTest: SelfTest.run(), explainer: .inACopy(retainPaths), capturer: .inACopy(retainPaths)),
            gate: gate, routes: routes)
    }

    init(_ context: DashboardContext, gate: GatePolicy = GatePolicy(), routes extraRoutes: [Route] = []) {
        registry = context.registry
        self.gate = Gate(gate, record: context.access, clock: context.registry.clock)
        context.registry.startHistory()
        let programRoutes = extraRoutes.map(\.path)
        let groups = [
            AssetRoutes.routes(), HealthRoute.routes(context), SummaryRoute.routes(context),
            TypesRoute.routes(context), InstancesRoutes.routes(context),
            RetainPathRoutes.routes(context).map { $0.refusingOtherSites() },
            HeapDiffRoute.routes(context), HeapRoutes.routes(context), HeapLeaksRoute.routes(context),
            HeapDominatorsRoute.routes(context), HeapTasksRoute.routes(context),
            HeapPathsRoute.routes(context).map { $0.refusingOtherSites() },
            TokensRoute.routes(context), InvariantsRoute.routes(context), GrowthRoute.routes(context),
            OverdueRoute.routes(context),
            HistoryRoute.routes(context),
            TimelineRoute.routes(context), MarksRoutes.routes(context), DiffRoute.routes(context),
            AcknowledgedLeakRoutes.routes(context),
            ProcessRoute.routes(context),
            EventsRoute.routes(EventFeed(context), programRoutes: programRoutes).map { $0.refusingOtherSites() },
            MetricsRoute.routes(context), extraRoutes,
        ]
        let routes = groups.flatMap(\.self)
        let security = self.gate.security
        router = Router(routes + [OpenAPIRoute.route(describing: routes, security: security)])
    }

    /// Answers a request.
    ///
    /// Can be called from any thread. Takes time proportional to the number of live instances, and never waits for a
    /// search or an event.
    ///
    /// A response to `HEAD`, and a response with status 304, contains the body of the response to `GET` with status
    /// 200; the server sends only the length of that body. `HEAD` never opens a stream; its body is then empty.
    public func respond(to request: HTTPRequest) -> HTTPResponse {
        var response: HTTPResponse
        do {
            switch try gate.admit(request) {
            case .answered(let answer): response = answer
            case .admitted(let target): response = try router.respond(to: request, target: target)
            }
        } catch let error as RequestError {
            response = HTTPResponse(error)
        } catch let error as TracerError {
            response = HTTPResponse(RequestError(error))
        } catch {
            response = HTTPResponse(.unexpected(error))
        }
        SecurityHeaders.add(to: &response)
        if request.method == "HEAD", case .stream = response.body { response.body = .bytes([]) }
        return response
    }

    /// All routes, including the description of the API.
    var routes: [Route] { router.routes }
}

extension RequestError {
    fileprivate static func unexpected(_ error: any Error) -> Self {
        Self(
            status: 500, code: "internalError", message: "The route failed: \(String(describing: error).shortened).",
            hint: "This is a bug in the traced program or in the tracer; please report it.")
    }
}
