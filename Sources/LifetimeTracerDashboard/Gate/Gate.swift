import LifetimeTracer

/// The check that every request passes before it reaches a route.
struct Gate: Sendable {
    /// The most bytes of a request body.
    static let bodyLimit = 64 * 1024

    /// The outcome of the check.
    enum Admission: Sendable {
        /// The request goes on to the routes.
        case admitted(RequestTarget)
        /// The gate itself answers: a browser showed the access token and is redirected to an address without it.
        case answered(HTTPResponse)
    }

    private let hosts: Set<String>
    private let access: AccessCheck?
    /// The last allowed value of `Host`, which most requests repeat.
    private let lastHost = Locked<String?>(nil)

    /// Creates a gate.
    ///
    /// - Parameters:
    ///   - policy: The clients to admit.
    ///   - record: The storage of sessions and wrong access tokens.
    ///   - clock: The clock for sessions and waiting times.
    init(_ policy: GatePolicy, record: AccessRecord, clock: any TracerClock) {
        // The port of an allowed host is ignored. Otherwise a host that was given with a port would never match.
        let extra = policy.allowedHosts.map { HostName($0)?.host ?? $0.lowercased() }
        hosts = Set(["127.0.0.1", "localhost", "[::1]"] + extra)
        access = policy.accessToken.map { AccessCheck($0, record: record, clock: clock) }
    }

    /// The scheme by which a request shows the access token, for the description of the API; `nil` if none is required.
    func security(_ request: HTTPRequest) -> AccessTokenScheme? {
        access.map { _ in AccessTokenScheme(cookieName: AccessCheck.cookieName(request)) }
    }

    /// Admits a request, or answers it.
    ///
    /// - Throws: ``RequestError`` for a refused request.
    func admit(_ request: HTTPRequest) throws(RequestError) -> Admission {
        try checkHost(request)
        try checkOrigin(request)
        let target = try RequestTarget(request.target)
        if let answer = try enter(request, target) { return .answered(answer) }
        try access?.check(request)
        guard request.body.count <= Self.bodyLimit else { throw .bodyTooLarge(request.body.count) }
        return .admitted(target)
    }

    private func checkHost(_ request: HTTPRequest) throws(RequestError) {
        // Only TCP needs this check: no foreign name can be made to resolve to a Unix socket.
        guard request.transport == .tcp else { return }
        guard let value = request.headers["Host"] else {
            throw .unknownHost("The request has no Host header field.", hosts)
        }
        let count = request.headers.count("Host")
        guard count == 1 else { throw .unknownHost("The request has \(count) Host header fields.", hosts) }
        guard lastHost.withLock({ $0 != value }) else { return }
        guard let name = HostName(value), hosts.contains(name.host) else {
            throw .unknownHost("The host \"\(value.shortened)\" is not allowed.", hosts)
        }
        lastHost.withLock { $0 = value }
    }

    /// Refuses requests that pages of other sites send.
    ///
    /// Programs other than browsers send neither `Origin` nor `Sec-Fetch-Site`. The dashboard's own page sends no
    /// `Origin` with a GET. A page of another site could not read the response, so a foreign `Origin` is refused with
    /// every method.
    private func checkOrigin(_ request: HTTPRequest) throws(RequestError) {
        for origin in request.headers.values("Origin") where !isOwn(origin, host: request.headers["Host"]) {
            throw .foreignOrigin("The origin \"\(origin.shortened)\" is not the origin of the dashboard.")
        }
        if request.method != "GET", request.method != "HEAD" { try Self.checkSite(request) }
    }

    /// Refuses a request that a browser sends on behalf of a page of another site.
    ///
    /// Also used for GET routes that start work: a foreign page never sees the response, but could send requests
    /// without end. Other GETs pass, because another site may link to the dashboard.
    static func checkSite(_ request: HTTPRequest) throws(RequestError) {
        if let site = request.headers["Sec-Fetch-Site"], site != "same-origin", site != "none" {
            throw .foreignOrigin("The request comes from another site.")
        }
    }

    private func isOwn(_ origin: String, host: String?) -> Bool {
        guard let host = host.flatMap(HostName.init) else { return false }
        let schemes = [("http://", UInt16(80)), ("https://", UInt16(443))]
        for (scheme, defaultPort) in schemes where origin.hasPrefix(scheme) {
            guard let name = HostName(String(origin.dropFirst(scheme.count))) else { return false }
            return name.host == host.host && (name.port ?? defaultPort) == (host.port ?? defaultPort)
        }
        return false
    }

    /// Answers `GET /?token=…`, which a person opens: sets the session cookie and redirects the browser to `/`.
    private func enter(_ request: HTTPRequest, _ target: RequestTarget) throws(RequestError) -> HTTPResponse? {
        guard request.method == "GET" || request.method == "HEAD", target.query.count == 1,
            let item = target.query.first, item.name == "token", target.segments == [""]
        else { return nil }
        var response = HTTPResponse(status: 303, headers: [HTTPHeaders.Field("Location", "/")])
        // If no access token is required, an old link that contains one still redirects to the page.
        if let access {
            response.headers.append("Set-Cookie", try access.cookie(for: item.value, request))
        }
        return response
    }
}

extension RequestError {
    fileprivate static func unknownHost(_ message: String, _ known: Set<String>) -> Self {
        Self(
            status: 421, code: "unknownHost", message: message,
            hint:
                "Allowed hosts: \(known.sorted().joined(separator: ", ")), with any port. To use another host, "
                + "add it to the allowed hosts.")
    }

    fileprivate static func foreignOrigin(_ message: String) -> Self {
        Self(
            status: 403, code: "foreignOrigin", message: message,
            hint: "Only the dashboard's own page may send this request; outside a browser, send no Origin header field."
        )
    }

    fileprivate static func bodyTooLarge(_ count: Int) -> Self {
        Self(
            status: 413, code: "bodyTooLarge", message: "The body has \(count) bytes.",
            hint: "Send at most \(Gate.bodyLimit) bytes.")
    }
}
