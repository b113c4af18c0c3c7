import LifetimeTracer
import LifetimeTracerDashboard
import LifetimeTracerServer

/// The demo: a server, the scenarios and something that goes on meanwhile.
final class Demo: Sendable {
    /// What can be played.
    let catalogue: DemoCatalogue

    private let registry: LifetimeRegistry
    private let slowService = SlowService()
    private let server: TracerServer
    /// Where the demo's own requests go, unless they go to its own server.
    private let slowServer: TracerServer?
    private let workload = Locked<Task<Void, any Error>?>(nil)

    /// How long a screen may take to go after it left: short, so that one need not wait for a verdict.
    static let leavingDelay = Duration.seconds(1)

    /// Creates a demo that does not run yet.
    ///
    /// - Parameters:
    ///   - address: Where to listen.
    ///   - accessToken: What clients must send, if they must.
    ///   - allowedHosts: By what else browsers may call it.
    ///   - recordsCreationStacks: Whether births record the calls that led to them.
    ///   - knownLeaks: A file with the leaks that are known.
    ///   - limits: How many connections are served, and how long a client may take.
    init(
        address: ListenAddress, accessToken: String?, allowedHosts: [String] = [], recordsCreationStacks: Bool = false,
        knownLeaks: String? = nil, limits: ServerLimits = ServerLimits()
    ) {
        var configuration = RegistryConfiguration()
        configuration.leavingDelay = Self.leavingDelay
        registry = LifetimeRegistry(configuration: configuration)
        registry.recordsCreationStacks = recordsCreationStacks
        catalogue = DemoCatalogue(registry: registry, slowService: slowService)
        server = TracerServer(
            address: address, registry: registry, accessToken: accessToken, allowedHosts: allowedHosts,
            routes: Dashboard.scenarioRoutes(catalogue) + slowService.routes, knownLeaks: knownLeaks, limits: limits)
        // `URLSession` reaches neither a socket in the file system nor, without the secret, what is behind an access token.
        if case .tcp = address, address.isLoopback, accessToken == nil {
            slowServer = nil
        } else {
            slowServer = TracerServer(
                address: .tcp(host: "127.0.0.1", port: 0), registry: LifetimeRegistry(), routes: slowService.routes)
        }
    }

    /// Where it listens; `nil` while it does not run.
    var address: ListenAddress? { server.address }

    /// Starts to serve and to work; called once.
    func start() throws(ServerError) {
        // First, so that a scenario that is played at once finds it.
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

    /// Stops both.
    func stop() {
        workload.withLock { $0 }?.cancel()
        server.stop()
        slowServer?.stop()
    }
}
