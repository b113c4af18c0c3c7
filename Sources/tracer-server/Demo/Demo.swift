import LifetimeTracer
import LifetimeTracerDashboard
import LifetimeTracerServer

/// The demo: a server, the scenarios and a background workload.
final class Demo: Sendable {
    /// The scenarios.
    let catalogue: DemoCatalogue

    private let registry: LifetimeRegistry
    private let slowService = SlowService()
    private let server: TracerServer
    /// The server for the scenarios' requests; `nil` if the demo's own server answers them.
    private let slowServer: TracerServer?
    private let workload = Locked<Task<Void, any Error>?>(nil)

    /// The time within which a screen must be gone after it left.
    ///
    /// The delay is short, so that verdicts come soon.
    static let leavingDelay = Duration.seconds(1)

    /// Creates a demo without starting it.
    ///
    /// - Parameters:
    ///   - address: The address to listen on.
    ///   - accessToken: The access token that clients must send, if any.
    ///   - allowedHosts: Further host names under which browsers may reach the server.
    ///   - recordsCreationStacks: Whether births record their creation stacks.
    ///   - knownLeaks: The file of known leaks.
    ///   - rules: The rules for the demo's types.
    ///   - limits: The limits of connections and of the time that a client may take.
    init(
        address: ListenAddress, accessToken: String?, allowedHosts: [String] = [], recordsCreationStacks: Bool = false,
        knownLeaks: String? = nil, rules: RulesSource = .none, limits: ServerLimits = ServerLimits()
    ) {
        var configuration = RegistryConfiguration()
        configuration.leavingDelay = Self.leavingDelay
        registry = LifetimeRegistry(configuration: configuration)
        registry.recordsCreationStacks = recordsCreationStacks
        catalogue = DemoCatalogue(registry: registry, slowService: slowService)
        server = TracerServer(
            address: address, registry: registry, accessToken: accessToken, allowedHosts: allowedHosts,
            routes: ScenarioRoutes.routes(catalogue) + slowService.routes, knownLeaks: knownLeaks, rules: rules,
            limits: limits)
        // `URLSession` cannot connect to a Unix socket, and does not have the access token.
        if case .tcp = address, address.isLoopback, accessToken == nil {
            slowServer = nil
        } else {
            slowServer = TracerServer(
                address: .tcp(host: "127.0.0.1", port: 0), registry: LifetimeRegistry(), routes: slowService.routes)
        }
    }

    /// The address that the server listens on; `nil` while the demo does not run.
    var address: ListenAddress? { server.address }

    /// Starts the server and the workload.
    ///
    /// Must be called only once.
    func start() throws(ServerError) {
        // Started first, so that a scenario that is played at once finds this server.
        try slowServer?.start()
        do throws(ServerError) {
            try server.start()
        } catch {
            slowServer?.stop()
            throw error
        }
        slowService.setBase((slowServer ?? server).url ?? "")
        let background = Workload(registry: registry)
        workload.withLock { $0 = Task { try await background.run() } }
    }

    /// Stops the servers and the workload.
    func stop() {
        workload.withLock { $0 }?.cancel()
        server.stop()
        slowServer?.stop()
    }
}
