import CTracerAutostart
import LifetimeTracer
import LifetimeTracerDashboard
import RetainPaths

/// Shows what a registry knows, over HTTP, to a browser, to `curl` and to Prometheus.
///
/// ```swift
/// import LifetimeTracerServer
///
/// let server = TracerServer()
/// try server.start()
/// ```
///
/// A running server has two threads of its own, both asleep while nobody asks; besides, the registry's thread samples
/// the history once a second. It lives until ``stop()``, whether anybody refers to it or not, and keeps no traced object
/// alive.
///
/// A program can also be started with `LIFETIME_TRACER=127.0.0.1:8089` in its environment; then it needs none of these
/// lines. It may have them all the same: see ``start()``. With `LIFETIME_TRACER_STACKS=1` beside it, or alone, the shared
/// registry records creation stacks from the start.
///
/// In a child of `fork` no server runs: those of the parent go on there, and their sockets and files are left alone. The
/// child may start a server, this one or another, at an address that is free.
public final class TracerServer: LockedState {
    private let server: HTTPServer
    private let wanted: ListenAddress
    private let registry: LifetimeRegistry
    private let accessToken: String?
    private let allowedHosts: [String]
    private let hasRoutes: Bool
    private let knownLeaksFile: String?
    private let limits: ServerLimits
    /// For the dashboard that is made at the next start.
    private let retainPaths: Locked<RetainPaths.Options>
    /// The autostarted server that stands in for this one.
    private let adopted = Locked<TracerServer?>(nil)
    /// What is wrong with the arguments: told at the start, so that making a server needs no `try`.
    private let problem: ServerError?

    /// Creates a server that does not run yet.
    ///
    /// - Parameters:
    ///   - address: Where to listen; ``ListenAddress`` tells the forms. Port 0 picks a free one.
    ///   - registry: What is shown.
    ///   - accessToken: What clients must send as `Authorization: Bearer ACCESS-TOKEN`: 16 printable ASCII characters or more,
    ///     without spaces. Needed unless only this machine can connect.
    ///   - allowedHosts: Names and IP addresses under which browsers may call the server, apart from 127.0.0.1,
    ///     `localhost`, `[::1]` and the address it listens on, which for 0.0.0.0 and `::` are all of this machine. A
    ///     name by which others call this machine, or the address of what stands in front of it, belongs here.
    ///   - routes: Further routes. None may have the method and path of one of the dashboard's own.
    ///   - knownLeaks: The path of a file with the leaks that are known; it is read at each start. ``KnownLeaks`` tells its form.
    ///   - limits: How many connections are served, and how long a client may take.
    public convenience init(
        address: String = ListenAddress.standard.description, registry: LifetimeRegistry = .shared,
        accessToken: String? = nil, allowedHosts: [String] = [], routes: [Route] = [], knownLeaks: String? = nil,
        limits: ServerLimits = ServerLimits()
    ) {
        do throws(ServerError) {
            self.init(
                address: try ListenAddress(address), registry: registry, accessToken: accessToken,
                allowedHosts: allowedHosts, routes: routes, knownLeaks: knownLeaks, limits: limits)
        } catch {
            self.init(.standard, registry, accessToken, allowedHosts, routes, knownLeaks, limits, problem: error)
        }
    }

    /// Creates a server that does not run yet, for an address that is already read.
    public convenience init(
        address: ListenAddress, registry: LifetimeRegistry = .shared, accessToken: String? = nil,
        allowedHosts: [String] = [], routes: [Route] = [], knownLeaks: String? = nil,
        limits: ServerLimits = ServerLimits()
    ) {
        self.init(
            address, registry, accessToken, allowedHosts, routes, knownLeaks, limits,
            problem: AccessToken.objection(to: accessToken)
                ?? Self.objection(to: address, withAccessToken: accessToken != nil)
                ?? Self.objection(to: allowedHosts))
    }

    private init(
        _ address: ListenAddress, _ registry: LifetimeRegistry, _ accessToken: String?, _ allowedHosts: [String],
        _ routes: [Route], _ knownLeaks: String?, _ limits: ServerLimits, problem: ServerError?
    ) {
        // Where a name is wrong the server never starts.
        let names = (try? AllowedHosts(allowedHosts))?.names ?? []
        wanted = address
        self.registry = registry
        self.accessToken = accessToken
        self.allowedHosts = names
        hasRoutes = !routes.isEmpty
        let retainPaths = Locked(RetainPaths.Options())
        self.retainPaths = retainPaths
        knownLeaksFile = knownLeaks
        self.limits = limits
        server = HTTPServer(
            configuration: ServerConfiguration(address: address, limits: limits),
            makingHandler: {
                // Not before the start has a chance: a dashboard makes its registry keep a history.
                let gate = GatePolicy(allowedHosts: names + Self.ownHosts(address), accessToken: accessToken)
                let dashboard = Dashboard(
                    registry: registry, gate: gate, routes: routes, retainPaths: retainPaths.withLock { $0 })
                return { dashboard.respond(to: $0) }
            })
        self.problem = problem
        // Keeps the constructor that reads the environment in every program that makes a server.
        lifetime_tracer_autostart_anchor()
    }

    /// Where the server listens, with the port that was picked; `nil` while it does not run.
    public var address: ListenAddress? { adopted.withLock { $0 }?.address ?? server.address }

    /// What to open in a browser; `nil` while the server does not run.
    public var url: String? { address?.url }

    /// Starts to serve.
    ///
    /// A stopped server can be started again.
    ///
    /// Where the server that `LIFETIME_TRACER` started in this very process holds the address, and shows the same
    /// registry, there is nothing to do, and that is no error: ``address`` and ``url`` are then those of that server, and
    /// ``stop()`` leaves it running. The running server keeps its access token, hosts, limits, known leaks and routes; a line on
    /// standard error says so where others were given in code.
    ///
    /// - Throws: ``ServerError`` that names the address, what is wrong, and what to do: the address cannot be read or is
    ///   in use, a host cannot be allowed, others than this machine could connect and there is no access token, the file of
    ///   known leaks is not as it should be, a limit makes no sense, or the program may not open more files.
    public func start() throws(ServerError) {
        if let problem { throw problem }
        // That of the parent, which stands in for nobody in a child of `fork`, has no address there.
        guard adopted.withLock({ $0 })?.address == nil else {
            throw ServerError(
                .alreadyRunning, "the server for \(wanted) is running: the one that LIFETIME_TRACER started",
                hint: "stop it first")
        }
        try readKnownLeaks()
        do throws(ServerError) {
            try server.start()
        } catch let error where error.code == .addressInUse {
            try adopt(insteadOf: error)
        }
    }

    private func readKnownLeaks() throws(ServerError) {
        guard let knownLeaksFile else { return }
        do throws(KnownLeaksError) {
            let leaks = try KnownLeaks(contentsOf: knownLeaksFile)
            retainPaths.withLock { $0.knownLeaks = leaks }
        } catch {
            let place = [error.file, error.line.map { "line \($0)" }].compactMap(\.self).joined(separator: ", ")
            throw ServerError(.invalidKnownLeaks, "known leaks, \(place): \(error.message)", hint: error.hint)
        }
    }

    /// Takes the autostarted server for this one, if it holds the address.
    private func adopt(insteadOf error: ServerError) throws(ServerError) {
        guard let other = Autostart.server, other !== self, other.address?.covers(wanted) == true else { throw error }
        guard other.registry === registry else {
            throw ServerError(
                error.code, error.message + ": the server that LIFETIME_TRACER started shows another registry there",
                hint: error.hint, errno: error.errno)
        }
        adopted.withLock { $0 = other }
        if other.accessToken != accessToken || !Set(allowedHosts).isSubset(of: other.allowedHosts) || hasRoutes
            || knownLeaksFile != nil && knownLeaksFile != other.knownLeaksFile
            || limits != ServerLimits() && limits != other.limits
        {
            StandardError.writeLine(
                "\(wanted) is already served by the server that LIFETIME_TRACER started: with that server's access token,"
                    + " hosts, limits and known leaks instead of those given in code, and without further routes")
        }
    }

    /// Ends all streams and connections and returns when the threads are gone and the socket is closed.
    ///
    /// Takes up to 200 ms if pages are open, and as long as the request that is being answered. Without effect on a
    /// server that does not run, and on the one that `LIFETIME_TRACER` started: that one goes on. A route must not call
    /// it: it would wait for itself.
    public func stop() {
        let hadAdopted = adopted.withLock { adopted in
            defer { adopted = nil }
            return adopted != nil
        }
        if !hadAdopted { server.stop() }
    }

    /// Removes the file of a Unix socket and leaves everything else as it is.
    func removeSocketFile() {
        server.removeSocketFile()
    }

    /// The address under which a browser is sent here: for 0.0.0.0 and `::`, all that this machine has at the start.
    ///
    /// Unlike a name, a number cannot be made to point elsewhere.
    private static func ownHosts(_ address: ListenAddress) -> [String] {
        guard case .tcp(let host, let port) = address else { return [] }
        if SocketAddress(host: host, port: port)?.isWildcard == true { return OwnAddresses.hosts }
        return [host.contains(":") ? "[\(host)]" : host]
    }

    private static func objection(to hosts: [String]) -> ServerError? {
        do throws(ServerError) {
            _ = try AllowedHosts(hosts)
            return nil
        } catch {
            return error
        }
    }

    private static func objection(to address: ListenAddress, withAccessToken hasAccessToken: Bool) -> ServerError? {
        if hasAccessToken || address.isLoopback { return nil }
        return ServerError(
            .accessTokenRequired,
            "cannot listen on \(address) without an access token: other machines could connect",
            hint: "pass an access token (LIFETIME_TRACER_TOKEN or LIFETIME_TRACER_TOKEN_FILE in the environment),"
                + " or listen on 127.0.0.1")
    }
}
