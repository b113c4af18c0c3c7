import CTracerAutostart
import LifetimeTracer
import LifetimeTracerDashboard

/// Shows what a registry knows, over HTTP, to a browser, to `curl` and to Prometheus.
///
/// ```swift
/// import LifetimeTracerServer
///
/// let server = TracerServer()
/// try server.start()
/// ```
///
/// A running server has two threads, both asleep while nobody asks, and lives until ``stop()``, whether anybody refers
/// to it or not. It keeps no traced object alive. A program can also be started with `LIFETIME_TRACER=127.0.0.1:8089`
/// in its environment; then it needs none of these lines.
public final class TracerServer: Sendable {
    private let server: HTTPServer
    /// What is wrong with the arguments: told at the start, so that making a server needs no `try`.
    private let problem: ServerError?

    /// Creates a server that does not run yet.
    ///
    /// - Parameters:
    ///   - address: Where to listen; ``ListenAddress`` tells the forms. Port 0 picks a free one.
    ///   - registry: What is shown.
    ///   - token: What clients must send as `Authorization: Bearer TOKEN`. Needed unless only this machine can connect.
    ///   - allowedHosts: Names under which browsers may call the server, apart from those of this machine.
    ///   - routes: Further routes, tried before the dashboard's own.
    public convenience init(
        address: String = ListenAddress.standard.description, registry: LifetimeRegistry = .shared,
        token: String? = nil, allowedHosts: [String] = [], routes: [Route] = []
    ) {
        do throws(ServerError) {
            self.init(
                address: try ListenAddress(address), registry: registry, token: token, allowedHosts: allowedHosts,
                routes: routes)
        } catch {
            self.init(.standard, registry, token, allowedHosts, routes, problem: error)
        }
    }

    /// Creates a server that does not run yet, for an address that is already read.
    public convenience init(
        address: ListenAddress, registry: LifetimeRegistry = .shared, token: String? = nil,
        allowedHosts: [String] = [], routes: [Route] = []
    ) {
        self.init(
            address, registry, token, allowedHosts, routes,
            problem: Self.objection(to: token) ?? Self.objection(to: address, withToken: token != nil))
    }

    private init(
        _ address: ListenAddress, _ registry: LifetimeRegistry, _ token: String?, _ allowedHosts: [String],
        _ routes: [Route], problem: ServerError?
    ) {
        let gate = GatePolicy(allowedHosts: allowedHosts + Self.ownHosts(address), token: token)
        server = HTTPServer(
            configuration: ServerConfiguration(address: address),
            makingHandler: {
                // Not before the start has a chance: a dashboard makes its registry keep a history.
                let dashboard = Dashboard(registry: registry, gate: gate, routes: routes)
                return { dashboard.respond(to: $0) }
            })
        self.problem = problem
        // Keeps the constructor that reads the environment in every program that makes a server.
        lifetime_tracer_autostart_anchor()
    }

    /// Where the server listens, with the port that was picked; `nil` while it does not run.
    public var address: ListenAddress? { server.address }

    /// What to open in a browser; `nil` while the server does not run.
    public var url: String? { server.address?.url }

    /// Starts to serve.
    ///
    /// A stopped server can be started again.
    ///
    /// - Throws: ``ServerError`` that names the address, what is wrong, and what to do: the address cannot be read or is
    ///   in use, or others than this machine could connect and there is no token.
    public func start() throws(ServerError) {
        if let problem { throw problem }
        try server.start()
    }

    /// Ends all streams and connections and returns when the threads are gone and the socket is closed.
    ///
    /// Takes up to 200 ms if pages are open, and as long as the request that is being answered. Without effect on a
    /// server that does not run. A route must not call it: it would wait for itself.
    public func stop() {
        server.stop()
    }

    /// Removes the file of a Unix socket and leaves everything else as it is.
    func removeSocketFile() {
        server.removeSocketFile()
    }

    /// The address under which a browser is sent here.
    ///
    /// Unlike a name, a number cannot be made to point elsewhere.
    private static func ownHosts(_ address: ListenAddress) -> [String] {
        guard case .tcp(let host, _) = address else { return [] }
        return [host.contains(":") ? "[\(host)]" : host]
    }

    private static func objection(to token: String?) -> ServerError? {
        guard let token, token.isEmpty || !token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        // The token itself is a secret and stays out of the text.
        return ServerError(
            .invalidToken,
            "the token of \(token.utf8.count) bytes is empty or has spaces or other than ASCII characters",
            hint: "use printable ASCII characters without spaces")
    }

    private static func objection(to address: ListenAddress, withToken hasToken: Bool) -> ServerError? {
        if hasToken || address.isLoopback { return nil }
        return ServerError(
            .tokenRequired, "cannot listen on \(address) without a token: other machines could connect",
            hint: "pass a token (LIFETIME_TRACER_TOKEN in the environment), or listen on 127.0.0.1")
    }
}
