import LifetimeTracer

/// Checks that a request carries the access token, or the session that a browser got in exchange for it.
///
/// A class, because the gate looks at it at each request, and a look at a structure would copy all its parts.
final class AccessCheck: Sendable {
    private let accessToken: Secret
    private let record: AccessRecord
    private let clock: any TracerClock

    init(_ accessToken: String, record: AccessRecord, clock: any TracerClock) {
        self.accessToken = Secret(accessToken)
        self.record = record
        self.clock = clock
    }

    /// Throws unless the request carries a valid access token or session.
    func check(_ request: HTTPRequest) throws(RequestError) {
        if isInSession(request) { return }
        let fields = request.headers.values("Authorization")
        guard let field = fields.first else { throw .accessTokenRequired(isWrong: false) }
        // Several fields would be several guesses in one request, so they count as one wrong access token.
        try look(at: fields.count == 1 ? Self.bearer(field) ?? "" : "", request)
    }

    /// Opens a session for a browser whose address contains the access token, and returns the cookie.
    func cookie(for shown: String, _ request: HTTPRequest) throws(RequestError) -> String {
        try look(at: shown, request)
        let now = clock.now()
        let session = record.sessions.withLock { $0.open(at: now) }
        return "\(Self.cookieName(request))=\(session); HttpOnly; SameSite=Strict; Path=/"
    }

    private func isInSession(_ request: HTTPRequest) -> Bool {
        let name = Self.cookieName(request)
        // A browser sends one such cookie. Four allow for strays; comparing a thousand would be slow.
        let shown = Self.cookies(request).filter { $0.name == name }.prefix(4)
        guard !shown.isEmpty else { return false }
        let now = clock.now()
        return record.sessions.withLock { sessions in
            shown.reduce(false) { sessions.admits($1.value, at: now) || $0 }
        }
    }

    /// Throws unless the text is the access token, and delays clients that guess.
    private func look(at shown: String, _ request: HTTPRequest) throws(RequestError) {
        let client = request.clientAddress.flatMap(ClientNetwork.init)
        let now = clock.now()
        if let wait = record.guesses.withLock({ $0.wait(of: client, at: now) }) {
            throw .tooManyWrongAccessTokens(wait)
        }
        if accessToken.matches(shown) {
            record.guesses.withLock { $0.noteRight(of: client, at: now) }
            return
        }
        let wait = record.guesses.withLock { $0.noteWrong(of: client, at: now) }
        throw wait.map(RequestError.tooManyWrongAccessTokens) ?? .accessTokenRequired(isWrong: true)
    }

    private static func bearer(_ value: String) -> String? {
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1].drop { $0 == " " })
    }

    /// The name of the session cookie.
    ///
    /// The name contains the port, because a browser sends a host's cookies to all its ports, and two programs on one
    /// host need two cookies.
    static func cookieName(_ request: HTTPRequest) -> String {
        let port = request.headers["Host"].flatMap(HostName.init)?.port
        return "lifetime_tracer_session" + (port.map { "_\($0)" } ?? "")
    }

    private static func cookies(_ request: HTTPRequest) -> [(name: String, value: String)] {
        request.headers.values("Cookie").flatMap { $0.split(separator: ";") }.compactMap { pair in
            let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }
    }
}

extension RequestError {
    fileprivate static func accessTokenRequired(isWrong: Bool) -> Self {
        Self(
            status: 401, code: "accessTokenRequired",
            message: isWrong ? "The access token is wrong." : "The request has no access token.",
            hint: "Send \"Authorization: Bearer ACCESS-TOKEN\", or open /?token=ACCESS-TOKEN in a browser.",
            headers: [HTTPHeaders.Field("WWW-Authenticate", "Bearer")])
    }

    fileprivate static func tooManyWrongAccessTokens(_ wait: Duration) -> Self {
        let seconds = Int(wait.inSeconds.rounded(.up))
        return Self(
            status: 429, code: "tooManyWrongAccessTokens",
            message: "This client has sent too many wrong access tokens.",
            hint: "Retry in \(seconds) s with the right access token.",
            headers: [HTTPHeaders.Field("Retry-After", String(seconds))])
    }
}
