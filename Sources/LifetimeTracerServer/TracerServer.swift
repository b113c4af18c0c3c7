import LifetimeTracer
import LifetimeTracerDashboard
import RetainPaths
import TracerBase

/// Serves the dashboard of a registry over HTTP to browsers, `curl` and Prometheus.
///
/// ```swift
/// import LifetimeTracerServer
///
/// let server = TracerServer()
/// try server.start()
/// ```
///
/// A running server has two threads of its own, which sleep while no request arrives. In addition, the registry's
/// thread samples the history once a second. The server runs until ``stop()``, even if nothing references it, and keeps
/// no traced object alive.
///
/// Instead of this code, a program can be started with `LIFETIME_TRACER=127.0.0.1:8089` in its environment. Both can be
/// combined: see ``start()``. With `LIFETIME_TRACER_STACKS=1`, alone or in addition, the shared registry records
/// creation stacks from the start.
///
/// In a fork child no server runs: the parent's servers keep running in the parent, and the child does not touch their
/// sockets and files. The child may start this or another server at a free address.
public final class TracerServer: LockedState {
    private let server: HTTPServer
    private let wanted: ListenAddress
    private let registry: LifetimeRegistry
    private let accessToken: String?
    private let allowedHosts: [String]
    private let hasRoutes: Bool
    private let knownLeaksFile: String?
    private let rulesSource: RulesSource
    private let limits: ServerLimits
    /// The options of the dashboard that the next start creates.
    private let retainPaths: Locked<RetainPaths.Options>
    /// The autostarted server that serves in place of this one.
    private let adopted = Locked<TracerServer?>(nil)
    /// The error in the arguments; ``start()`` throws it, so that creating a server needs no `try`.
    private let problem: ServerError?

    /// Creates a server that is not running.
    ///
    /// - Parameters:
    ///   - address: The address to listen on, in one of the forms of ``ListenAddress``. Port 0 picks a free port.
    ///   - registry: The registry to show.
    ///   - accessToken: The access token that clients must send as `Authorization: Bearer ACCESS-TOKEN`: at least 16
    ///     printable ASCII characters without spaces. Required unless only this machine can connect.
    ///   - allowedHosts: Further names and IP addresses under which browsers may reach the server. Always allowed are
    ///     127.0.0.1, `localhost`, `[::1]` and the listening address; for 0.0.0.0 and `::` those are all addresses of
    ///     this machine. Add the name of this machine on the network, or the address of a proxy in front of it.
    ///   - knownLeaks: The path of a known leaks file, in the format of `KnownLeaks`. The file is read at each start.
    ///   - rules: The path of a rules file, which `Documentation/Rules.md` describes. The file is read at each start.
    ///     Its rules are in force in the registry from then on, also when the server stops. They precede the budgets,
    ///     maximum ages and groups that the code sets.
    ///   - limits: The number of connections, and how long a client may take.
    public convenience init(
        address: String = ListenAddress.standard.description, registry: LifetimeRegistry = .shared,
        accessToken: String? = nil, allowedHosts: [String] = [], knownLeaks: String? = nil, rules: String? = nil,
        limits: ServerLimits = ServerLimits()
    ) {
        do throws(ServerError) {
            self.init(
                address: try ListenAddress(address), registry: registry, accessToken: accessToken,
                allowedHosts: allowedHosts, knownLeaks: knownLeaks, rules: rules, limits: limits)
        } catch {
            self.init(
                .standard, registry, accessToken, allowedHosts, [], knownLeaks, RulesSource(rules), limits,
                problem: error)
        }
    }

    /// Creates a server that is not running, for an address that is already parsed.
    public convenience init(
        address: ListenAddress, registry: LifetimeRegistry = .shared, accessToken: String? = nil,
        allowedHosts: [String] = [], knownLeaks: String? = nil, rules: String? = nil,
        limits: ServerLimits = ServerLimits()
    ) {
        self.init(
            address: address, registry: registry, accessToken: accessToken, allowedHosts: allowedHosts, routes: [],
            knownLeaks: knownLeaks, rules: RulesSource(rules), limits: limits)
    }

    /// Creates a server with routes besides the dashboard's own.
    ///
    /// No route may have the method and path of one of the dashboard's own.
    package convenience init(
        address: ListenAddress, registry: LifetimeRegistry = .shared, accessToken: String? = nil,
        allowedHosts: [String] = [], routes: [Route], knownLeaks: String? = nil, rules: RulesSource = .none,
        limits: ServerLimits = ServerLimits()
    ) {
        self.init(
            address, registry, accessToken, allowedHosts, routes, knownLeaks, rules, limits,
            problem: AccessToken.objection(to: accessToken)
                ?? Self.objection(to: address, withAccessToken: accessToken != nil)
                ?? Self.objection(to: allowedHosts))
    }

    private init(
        _ address: ListenAddress, _ registry: LifetimeRegistry, _ accessToken: String?, _ allowedHosts: [String],
        _ routes: [Route], _ knownLeaks: String?, _ rules: RulesSource, _ limits: ServerLimits, problem: ServerError?
    ) {
        // If a name is invalid, `problem` keeps the server from starting.
        let names = (try? AllowedHosts(allowedHosts))?.names ?? []
        wanted = address
        self.registry = registry
        self.accessToken = accessToken
        self.allowedHosts = names
        hasRoutes = !routes.isEmpty
        let retainPaths = Locked(RetainPaths.Options())
        self.retainPaths = retainPaths
        knownLeaksFile = knownLeaks
        rulesSource = rules
        self.limits = limits
        server = HTTPServer(
            configuration: ServerConfiguration(address: address, limits: limits),
            makingHandler: {
                // Created only when the server starts, because a dashboard makes its registry keep a history.
                let gate = GatePolicy(allowedHosts: names + Self.ownHosts(address), accessToken: accessToken)
                let dashboard = Dashboard(
                    registry: registry, gate: gate, routes: routes, retainPaths: retainPaths.withLock { $0 })
                return Answering(takesLong: dashboard.takesLong, dashboard.respond)
            })
        self.problem = problem
    }

    /// The listening address, with the port that was picked; `nil` while the server is not running.
    public var address: ListenAddress? { adopted.withLock { $0 }?.address ?? server.address }

    /// The URL to open in a browser; `nil` while the server is not running.
    public var url: String? { address?.url }

    /// Starts the server.
    ///
    /// A stopped server can be started again.
    ///
    /// If `LIFETIME_TRACER` started a server in this process and that server shows the same registry, starting succeeds
    /// without a second server, whatever the address of this one. ``address`` and ``url`` are then those of the running
    /// server, and ``stop()`` leaves it running. The operator's choice of an address wins, so that setting the variable
    /// neither ends a program with a fixed address nor opens a port besides the chosen one. The running server also
    /// keeps its own access token, hosts, limits, known leaks, rules and routes. If the code specifies another address
    /// or other settings, a line on standard error says so.
    ///
    /// A server for another registry starts as if the variable were not set.
    ///
    /// - Throws: ``ServerError`` with the offending value and a remedy. Causes: the address is invalid or in use, an
    ///   allowed host is invalid, other machines could connect but there is no access token, the known leaks file or
    ///   the rules file is invalid, a limit is out of range, or the program may not open more files.
    public func start() throws(ServerError) {
        if let problem { throw problem }
        // In a fork child the parent's server has no address, and so does not count as running.
        guard adopted.withLock({ $0 })?.address == nil else {
            throw ServerError(
                .alreadyRunning, "the server that LIFETIME_TRACER started already serves \(wanted)",
                hint: "stop that server first")
        }
        let rules = try rulesSource.read(for: registry)
        try readKnownLeaks(rules?.knownLeaks ?? KnownLeaks())
        if server.address == nil, let running = Autostart.server, running.registry === registry,
            let address = running.address
        {
            adopt(running, at: address)
            return
        }
        if let rules { rulesSource.putInForce(rules, in: registry) }
        do throws(ServerError) {
            try server.start()
        } catch let error where error.code == .addressInUse && Autostart.server?.address?.covers(wanted) == true {
            throw ServerError(
                error.code, error.message + ": the server that LIFETIME_TRACER started there shows another registry",
                hint: error.hint, errno: error.errno)
        }
    }

    /// - Parameter leaks: The known leaks of the rules.
    private func readKnownLeaks(_ leaks: KnownLeaks) throws(ServerError) {
        do throws(KnownLeaksError) {
            let ownLeaks = try knownLeaksFile.map { path throws(KnownLeaksError) in try KnownLeaks(contentsOf: path) }
            let allLeaks = leaks.adding(ownLeaks ?? KnownLeaks())
            retainPaths.withLock { $0.knownLeaks = allLeaks }
        } catch {
            let place = [error.file, error.line.map { "line \($0)" }].compactMap(\.self).joined(separator: ", ")
            throw ServerError(.invalidKnownLeaks, "known leaks file, \(place): \(error.message)", hint: error.hint)
        }
    }

    /// Uses the autostarted server in place of this one, and says on standard error what of this one is not in force.
    private func adopt(_ running: TracerServer, at address: ListenAddress) {
        adopted.withLock { $0 = running }
        let isAtWantedAddress = address.covers(wanted)
        let losesSettings =
            running.accessToken != accessToken || !Set(allowedHosts).isSubset(of: running.allowedHosts) || hasRoutes
            || knownLeaksFile != nil && knownLeaksFile != running.knownLeaksFile
            || rulesSource.isLost
            || limits != ServerLimits() && limits != running.limits
        guard losesSettings || !isAtWantedAddress else { return }
        var line =
            isAtWantedAddress
            ? "\(wanted) is already served by the server that LIFETIME_TRACER started"
            : "no server started at \(wanted), because the server that LIFETIME_TRACER started at \(address) shows the"
                + " same registry"
        if losesSettings {
            line +=
                ": its access token, hosts, limits, known leaks and rules replace those given in code, and added routes"
                + " are missing"
        }
        StandardError.writeLine(line + "; to use the settings given in code, unset LIFETIME_TRACER")
    }

    /// Stops the server: ends all streams and connections, and returns when its threads have ended and its socket is
    /// closed.
    ///
    /// Takes up to 200 ms while pages are open, plus the time that the current request needs. Does nothing if the
    /// server is not running. An autostarted server that serves in place of this one keeps running. A route must not
    /// call this method, because the call would wait for the route itself.
    public func stop() {
        let hadAdopted = adopted.withLock { adopted in
            defer { adopted = nil }
            return adopted != nil
        }
        if !hadAdopted { server.stop() }
    }

    /// Removes the file of a Unix socket; the server keeps running.
    func removeSocketFile() {
        server.removeSocketFile()
    }

    /// The listening addresses that browsers may name as the host; for 0.0.0.0 and `::` all addresses that this machine
    /// has at the start.
    ///
    /// An IP address is safe to allow because, unlike a name, it cannot be made to point elsewhere.
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
            "cannot listen on \(address) without an access token, because other machines could connect",
            hint: "pass an access token (LIFETIME_TRACER_TOKEN or LIFETIME_TRACER_TOKEN_FILE in the environment),"
                + " or listen on 127.0.0.1")
    }
}
