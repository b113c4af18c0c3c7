import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard

/// Clients that guess access tokens are slowed down.
///
/// Other clients are not.
@Suite struct GuessTests {
    private let bench = Bench(gate: GatePolicy(accessToken: "0123456789abcdef"))
    private let attacker = "203.0.113.9"

    private func show(_ accessToken: String, from client: String?) -> HTTPResponse {
        bench.send("GET", "/healthz", headers: [("Authorization", "Bearer \(accessToken)")], from: client)
    }

    private func showRight(from client: String?) -> HTTPResponse { show("0123456789abcdef", from: client) }

    private func guess(_ count: Int, from client: String?) -> [Int] {
        (0..<count).map { show("wrong \($0)", from: client).status }
    }

    @Test func wrongGuessesAreRateLimited() throws {
        #expect(
            guess(GuessTable.burst + 5, from: attacker) == Array(repeating: 401, count: 10)
                + Array(repeating: 429, count: 5))
        let refused = show("another", from: attacker)
        #expect(refused.errorCode == "tooManyWrongAccessTokens")
        #expect(refused.headers["Retry-After"] == "6")
        // The access token is not even compared, so that the response reveals nothing.
        #expect(showRight(from: attacker).status == 429)
        bench.clock.advance(by: .seconds(6))
        #expect(show("another", from: attacker).status == 401)
        #expect(show("another", from: attacker).status == 429)
    }

    @Test func waitIsNotExtendedByFurtherGuesses() {
        _ = guess(1000, from: attacker)
        bench.clock.advance(by: .seconds(6))
        #expect(showRight(from: attacker).status == 200)
    }

    @Test func accessTokensInURLsCountAsGuesses() {
        let statuses = (0..<12).map { bench.send("GET", "/?token=wrong\($0)", from: attacker).status }
        #expect(statuses == Array(repeating: 401, count: 10) + [429, 429])
    }

    @Test func otherClientsAreNotLockedOut() {
        _ = guess(50, from: attacker)
        #expect(showRight(from: "198.51.100.7").status == 200)
    }

    @Test func authenticatedClientIsNeverLockedOut() {
        #expect(showRight(from: attacker).status == 200)
        #expect(guess(50, from: attacker).last == 429)
        #expect(showRight(from: attacker).status == 200)
    }

    @Test(arguments: ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", nil])
    func thisMachineAndUnknownClientsAreNeverLockedOut(_ client: String?) {
        #expect(guess(50, from: client).last == 429)
        #expect(showRight(from: client).status == 200)
    }

    @Test func aSessionIsNeverLockedOut() throws {
        let entered = bench.send("GET", "/?token=0123456789abcdef", from: attacker)
        let cookie = String(try #require(entered.headers["Set-Cookie"]).prefix { $0 != ";" })
        _ = guess(50, from: "198.51.100.7")
        let response = bench.send("GET", "/healthz", headers: [("Cookie", cookie)], from: "198.51.100.7")
        #expect(response.status == 200)
    }

    @Test func anIPv6NetworkIsOneClient() {
        let addresses = (0..<12).map { "2001:db8:1:2::\(String($0 + 1, radix: 16))" }
        #expect(addresses.map { show("wrong", from: $0).status } == Array(repeating: 401, count: 10) + [429, 429])
        #expect(show("wrong", from: "2001:db8:1:3::1").status == 401)
    }

    @Test func theTableOfClientsIsBounded() {
        let clients = (0..<GuessTable.limit + 100).map { "10.\($0 >> 16).\($0 >> 8 & 255).\($0 & 255)" }
        for client in clients { _ = show("wrong", from: client) }
        // The last clients found no room in the table and share one entry. The right access token still passes.
        #expect(show("wrong", from: clients.last).status == 429)
        #expect(showRight(from: clients.last).status == 200)
        #expect(show("wrong", from: clients.first).status == 401)
        let text = bench.send("GET", "/metrics", headers: [("Authorization", "Bearer 0123456789abcdef")]).text
        #expect(text.contains(#"lifetime_tracer_dropped_total{buffer="guessingClients"} 101"#), "\(text)")
        #expect(text.contains("lifetime_tracer_access_tokens_wrong_total 1126\n"))
        // After the other clients expire, the table has room again.
        bench.clock.advance(by: .seconds(60))
        #expect(guess(10, from: "192.0.2.1") == Array(repeating: 401, count: 10))
    }
}
