import LifetimeTracer
import RetainPaths

/// Shows a registry: answers requests for the page, its JSON, its events and its metrics.
///
/// It opens no sockets: ``respond(to:)`` turns a request into a response, so that the dashboard can be mounted in any server.
/// For a server that is there already see the library `LifetimeTracerServer`.
public struct Dashboard: Sendable {
    private let gate: Gate
    private let router: Router

    /// Creates a dashboard.
    ///
    /// Starts the registry's history, and runs the tracer's self-test once, which takes about a millisecond and must not be
    /// done in a verdict observer.
    ///
    /// - Parameters:
    ///   - registry: What to show. The dashboard holds it.
    ///   - gate: Whom to answer.
    ///   - routes: What to answer beside its own. They pass the same gate and are part of the API's description. Two routes for
    ///     one method and path are a mistake in the program, and trap.
    ///   - retainPaths: The limits of a search for who holds an instance, and the leaks that are known. A search is only made
    ///     when it is asked for.
    public init(
        registry: LifetimeRegistry = .shared, gate: GatePolicy = GatePolicy(), routes: [Route] = [],
        retainPaths: RetainPaths.Options = RetainPaths.Options()
    ) {
        self.init(
            DashboardContext(
                registry: registry,
                process: .current(fallbackStart: registry.wallTime(at: registry.startedAt)),
                selfTest: SelfTest.run(), explainer: .inACopy(retainPaths)),
            gate: gate, routes: routes)
    }

    init(_ context: DashboardContext, gate: GatePolicy = GatePolicy(), routes extraRoutes: [Route] = []) {
        self.gate = Gate(gate, record: context.access, clock: context.registry.clock)
        context.registry.startHistory()
        let hasScenarios = extraRoutes.contains { $0.path == ScenarioRoutes.listPath }
        let groups = [
            AssetRoutes.routes(), HealthRoute.routes(context), SummaryRoute.routes(context),
            TypesRoute.routes(context), InstancesRoutes.routes(context),
            RetainPathRoutes.routes(context).map { $0.refusingOtherSites() },
            TokensRoute.routes(context), InvariantsRoute.routes(context), OverdueRoute.routes(context),
            HistoryRoute.routes(context),
            TimelineRoute.routes(context), MarksRoutes.routes(context), DiffRoute.routes(context),
            SilencedLeakRoutes.routes(context),
            EventsRoute.routes(EventFeed(context), hasScenarios: hasScenarios).map { $0.refusingOtherSites() },
            MetricsRoute.routes(context), extraRoutes,
        ]
        let routes = groups.flatMap(\.self)
        let security = self.gate.security
        router = Router(routes + [OpenAPIRoute.route(describing: routes, security: security)])
    }

    /// Answers a request.
    ///
    /// Can be called from any thread; takes time in proportion to what is live, and waits for nothing.
    /// The answer to a `HEAD` request, and one with status 304, has the body of a `GET` with status 200, of which the server sends
    /// the length alone; a stream is not opened for one.
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

    /// Everything that can be asked for.
    var routes: [Route] { router.routes }
}

extension RequestError {
    fileprivate static func unexpected(_ error: any Error) -> Self {
        Self(
            status: 500, code: "internalError", message: "The route failed: \(String(describing: error).shortened).",
            hint: "This is a mistake in the program that is traced or in the tracer; please report it.")
    }
}
