import LifetimeTracer

/// What every request passes before any route sees it.
struct Gate: Sendable {
    /// The most bytes of a body that are taken.
    static let bodyLimit = 64 * 1024

    /// What comes of a request at the gate.
    enum Admission: Sendable {
        /// It goes on to the routes.
        case admitted(RequestTarget)
        /// The gate has answered it: a browser was let in and sent on without the access token in its address.
        case answered(HTTPResponse)
    }

    private let hosts: Set<String>
    private let access: AccessCheck?

    /// - Parameters:
    ///   - policy: Whom to let in.
    ///   - record: Where sessions and wrong access tokens are kept.
    ///   - clock: What sessions and waits are measured with.
    init(_ policy: GatePolicy, record: AccessRecord, clock: any TracerClock) {
        // A name that was given with a port counts without it, rather than silently never.
        let extra = policy.allowedHosts.map { HostName($0)?.host ?? $0.lowercased() }
        hosts = Set(["127.0.0.1", "localhost", "[::1]"] + extra)
        access = policy.accessToken.map { AccessCheck($0, record: record, clock: clock) }
    }

    /// How a request would show the access token, for the description of the API; `nil` where none is needed.
    func security(_ request: HTTPRequest) -> AccessTokenScheme? {
        access.map { _ in AccessTokenScheme(cookieName: AccessCheck.cookieName(request)) }
    }

    /// Lets a request pass, or answers it.
    ///
    /// - Throws: ``RequestError`` for one that is refused.
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
        // A Unix socket has no name that a stranger could point elsewhere.
        guard request.transport == .tcp else { return }
        let values = request.headers.values("Host")
        guard let value = values.first else { throw .unknownHost("The request has no Host.", hosts) }
        guard values.count == 1 else { throw .unknownHost("The request has \(values.count) Hosts.", hosts) }
        guard let name = HostName(value), hosts.contains(name.host) else {
            throw .unknownHost("The host \"\(value.shortened)\" is not known here.", hosts)
        }
    }

    /// Refuses what a page of another site sends.
    ///
    /// A program that is no browser sends neither of the two fields. The dashboard's own page sends no `Origin` with a GET, and
    /// a page of another site could not read the answer, so a foreign one is refused whatever the method.
    private func checkOrigin(_ request: HTTPRequest) throws(RequestError) {
        for origin in request.headers.values("Origin") where !isOwn(origin, host: request.headers["Host"]) {
            throw .foreignOrigin("The origin \"\(origin.shortened)\" is not this address.")
        }
        if request.method != "GET", request.method != "HEAD" { try Self.checkSite(request) }
    }

    /// Refuses what a browser sends because another site's page has it do so.
    ///
    /// Also for the GETs of routes that set work going: such a page never sees the answer, but could ask without end. Other GETs
    /// pass, as a link on another site may lead here.
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

    /// Answers `GET /?token=…`, which a person opens: sets the cookie and sends the browser on to the bare address.
    private func enter(_ request: HTTPRequest, _ target: RequestTarget) throws(RequestError) -> HTTPResponse? {
        guard request.method == "GET" || request.method == "HEAD", target.segments == [""], target.query.count == 1,
            let item = target.query.first, item.name == "token"
        else { return nil }
        var response = HTTPResponse(status: 303, headers: [HTTPHeaders.Field("Location", "/")])
        // Without an access token to ask for, an old link with one still leads to the page.
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
            hint: "Known are: \(known.sorted().joined(separator: ", ")), with any port. To be asked for under another "
                + "name, add it to the allowed hosts.")
    }

    fileprivate static func foreignOrigin(_ message: String) -> Self {
        Self(
            status: 403, code: "foreignOrigin", message: message,
            hint: "Only the dashboard's own page may do this; outside a browser, send no Origin.")
    }

    fileprivate static func bodyTooLarge(_ count: Int) -> Self {
        Self(
            status: 413, code: "bodyTooLarge", message: "The body has \(count) bytes.",
            hint: "Send at most \(Gate.bodyLimit) bytes.")
    }
}
