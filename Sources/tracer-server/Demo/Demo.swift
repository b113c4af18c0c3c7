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
    private let listensForItself: Bool
    private let slowServer: TracerServer
    private let workload = Locked<Task<Void, any Error>?>(nil)

    /// How long a screen may take to go after it left: short, so that one need not wait for a verdict.
    static let leavingDelay = Duration.seconds(1)

    /// Creates a demo that does not run yet.
    ///
    /// - Parameters:
    ///   - address: Where to listen.
    ///   - token: What clients must send, if they must.
    init(address: ListenAddress, token: String?) {
        var configuration = RegistryConfiguration()
        configuration.leavingDelay = Self.leavingDelay
        registry = LifetimeRegistry(configuration: configuration)
        catalogue = DemoCatalogue(registry: registry, slowService: slowService)
        server = TracerServer(
            address: address, registry: registry, token: token,
            routes: Dashboard.scenarioRoutes(catalogue) + slowService.routes)
        // The demo's own requests go to its own server where `URLSession` can reach that without a secret.
        if case .tcp = address, address.isLoopback, token == nil { listensForItself = true } else { listensForItself = false }
        slowServer = TracerServer(
            address: .tcp(host: "127.0.0.1", port: 0), registry: LifetimeRegistry(), routes: slowService.routes)
    }

    /// Where it listens; `nil` while it does not run.
    var url: String? { server.url }

    /// Starts to serve and to work.
    func start() throws(ServerError) {
        try server.start()
        if listensForItself {
            slowService.setBase(server.url ?? "")
        } else {
            try slowServer.start()
            slowService.setBase(slowServer.url ?? "")
        }
        let background = Workload(registry: registry)
        workload.withLock { $0 = Task { try await background.run() } }
    }

    /// Stops both.
    func stop() {
        workload.withLock { $0 }?.cancel()
        server.stop()
        slowServer.stop()
    }
}
