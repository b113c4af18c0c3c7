/// Asks requests for the token: as a bearer token, or as the cookie that a browser got in exchange for it.
struct TokenCheck: Sendable {
    private let token: String

    init(_ token: String) {
        self.token = token
    }

    /// Refuses a request that does not show the token.
    func check(_ request: HTTPRequest) throws(RequestError) {
        let cookieName = Self.cookieName(request)
        let cookies = Self.cookies(request).filter { $0.name == cookieName }
        let shown =
            request.headers.values("Authorization").compactMap(Self.bearer)
            + cookies.compactMap { Self.decodedCookie($0.value) }
        guard shown.contains(where: isToken) else { throw .tokenRequired(isWrong: !shown.isEmpty) }
    }

    /// The cookie for a browser that showed the token in its address.
    func cookie(for shown: String, _ request: HTTPRequest) throws(RequestError) -> String {
        guard isToken(shown) else { throw .tokenRequired(isWrong: true) }
        return "\(Self.cookieName(request))=\(Self.encodedCookie(token)); HttpOnly; SameSite=Strict; Path=/"
    }

    /// Takes as long for a nearly right token as for one that is all wrong.
    private func isToken(_ shown: String) -> Bool {
        let expected = Array(token.utf8)
        let shown = Array(shown.utf8)
        guard !expected.isEmpty, !shown.isEmpty else { return false }
        var difference = expected.count ^ shown.count
        for position in shown.indices {
            difference |= Int(shown[position] ^ expected[position % expected.count])
        }
        return difference == 0
    }

    private static func bearer(_ value: String) -> String? {
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1].drop { $0 == " " })
    }

    /// Cookies belong to a host with all its ports, so that the port is part of the name: two programs, two cookies.
    static func cookieName(_ request: HTTPRequest) -> String {
        let port = request.headers["Host"].flatMap(HostName.init)?.port
        return "lifetime_tracer_token" + (port.map { "_\($0)" } ?? "")
    }

    private static func cookies(_ request: HTTPRequest) -> [(name: String, value: String)] {
        request.headers.values("Cookie").flatMap { $0.split(separator: ";") }.compactMap { pair in
            let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }
    }

    /// A token can hold what a cookie cannot, so it is sent as hexadecimal digits.
    private static func encodedCookie(_ token: String) -> String {
        token.utf8.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }
        .joined()
    }

    private static func decodedCookie(_ value: String) -> String? {
        let digits = value.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count.isMultiple(of: 2), !digits.isEmpty else { return nil }
        var bytes: [UInt8] = []
        for position in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[position], let low = digits[position + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension RequestError {
    fileprivate static func tokenRequired(isWrong: Bool) -> Self {
        Self(
            status: 401, code: "tokenRequired",
            message: isWrong ? "The token is not the right one." : "The request shows no token.",
            hint: "Send \"Authorization: Bearer TOKEN\", or open /?token=TOKEN in a browser.",
            headers: [HTTPHeaders.Field("WWW-Authenticate", "Bearer")])
    }
}
