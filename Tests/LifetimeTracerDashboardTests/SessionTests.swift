import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard

/// The sessions of browsers.
@Suite struct SessionTests {
    private let accessToken = "0123456789abcdef"
    private let bench = Bench(gate: GatePolicy(accessToken: "0123456789abcdef"))

    /// The name and value of a new session's cookie.
    private func open(_ bench: Bench? = nil) throws -> String {
        let entered = (bench ?? self.bench).get("/?token=\(accessToken)")
        #expect(entered.status == 303)
        #expect(entered.headers["Location"] == "/")
        let cookie = try #require(entered.headers["Set-Cookie"])
        #expect(cookie.hasSuffix("; HttpOnly; SameSite=Strict; Path=/"))
        return String(cookie.prefix { $0 != ";" })
    }

    private func status(_ cookie: String, host: String = "127.0.0.1:8089") -> Int {
        bench.send("GET", "/api/v1/summary", headers: [("Cookie", cookie)], host: host).status
    }

    @Test func aSessionOpensTheDashboard() throws {
        let cookie = try open()
        #expect(status(cookie) == 200)
        #expect(status("a=b; \(cookie); c=d") == 200)
        #expect(status(cookie + "0") == 401)
        #expect(status(String(cookie.dropLast(2))) == 401)
        #expect(status("x" + cookie) == 401)
        // A program on another port of the same host has its own cookie.
        #expect(status(cookie, host: "127.0.0.1:9000") == 401)
    }

    @Test func cookieDoesNotRevealTheAccessToken() throws {
        let hexadecimal = accessToken.utf8.map { String($0, radix: 16) }.joined()
        var values: Set<String> = []
        for _ in 0..<20 {
            let cookie = try open()
            #expect(!cookie.contains(accessToken) && !cookie.contains(hexadecimal))
            let value = try #require(cookie.split(separator: "=").last)
            // The value has 256 bits.
            #expect(value.count == 64 && value.allSatisfy(\.isHexDigit))
            values.insert(String(value))
        }
        #expect(values.count == 20)
        #expect(status("lifetime_tracer_session_8089=\(accessToken)") == 401)
        #expect(status("lifetime_tracer_session_8089=\(hexadecimal)") == 401)
    }

    @Test func aRestartEndsAllSessions() throws {
        let another = Bench(gate: GatePolicy(accessToken: accessToken))
        #expect(status(try open(another)) == 401)
    }

    @Test func unusedSessionExpiresAfterAWeek() throws {
        let (used, unused) = (try open(), try open())
        for _ in 0..<8 {
            bench.clock.advance(by: .seconds(24 * 3600))
            #expect(status(used) == 200)
        }
        #expect(status(unused) == 401)
    }

    @Test func sessionsAreBounded() throws {
        let first = try open()
        bench.clock.advance(by: .seconds(1))
        let second = try open()
        for _ in 2..<SessionTable.limit {
            bench.clock.advance(by: .seconds(1))
            _ = try open()
        }
        #expect(status(first) == 200)
        // The second session is now the least recently used one.
        bench.clock.advance(by: .seconds(1))
        let last = try open()
        #expect(status(second) == 401)
        #expect(status(first) == 200)
        #expect(status(last) == 200)
        let bearer = [("Authorization", "Bearer \(accessToken)")]
        #expect(
            bench.get("/metrics", headers: bearer).text.contains(#"lifetime_tracer_dropped_total{buffer="sessions"} 1"#)
        )
    }

    @Test func sessionCookieDoesNotAdmitOtherSites() throws {
        let headers = [("Cookie", try open()), ("Origin", "http://evil.com")]
        #expect(bench.send("POST", "/api/v1/marks", headers: headers).status == 403)
        #expect(bench.get("/api/v1/summary", headers: headers).status == 403)
    }

    @Test func staleCookieDoesNotCountAsAGuess() throws {
        let bearer = [("Authorization", "Bearer \(accessToken)")]
        for _ in 0..<100 { #expect(status("lifetime_tracer_session_8089=0123") == 401) }
        let text = bench.get("/metrics", headers: bearer).text
        #expect(text.contains("lifetime_tracer_access_tokens_wrong_total 0\n"))
    }
}
