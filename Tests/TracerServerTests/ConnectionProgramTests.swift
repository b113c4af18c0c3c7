import Foundation
import LifetimeTracer
import LifetimeTracerDashboard
import LifetimeTracerServer
import Testing

@testable import tracer_server

/// How the real commands connect to a server, and which servers never receive their access token.
@Suite(.timeLimit(.minutes(20))) struct ConnectionProgramTests {
    /// The commands that take a server's address.
    static let commands = TracerServerProgram.commands.map { String($0.call.split(separator: " ")[1]) }
        .filter { !["run", "demo"].contains($0) }

    static func words(_ command: String, _ address: String) -> [String] {
        [command, address] + (command == "why" ? ["1"] : [])
    }

    private static func server(
        _ answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse
    ) throws -> (server: HTTPServer, url: String) {
        let server = HTTPServer(
            configuration: ServerConfiguration(address: .tcp(host: "127.0.0.1", port: 0)), handler: answer)
        try server.start()
        return (server, try #require(server.address?.url))
    }

    /// A proxy would see the access token, and no proxy is needed for a loopback address.
    @Test(arguments: ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"])
    func proxyVariablesAreIgnored(_ variable: String) async throws {
        let proxied = Locked(0)
        let (proxy, proxyURL) = try Self.server { _ in
            proxied.withLock { $0 += 1 }
            return HTTPResponse(status: 502)
        }
        defer { proxy.stop() }
        let server = TracerServer(address: ":0", registry: LifetimeRegistry(), accessToken: "secret-access-token")
        try server.start()
        defer { server.stop() }
        let environment = [variable: proxyURL, "LIFETIME_TRACER_TOKEN": "secret-access-token"]
        let url = try #require(server.url)
        for address in [url, url.replacing("127.0.0.1", with: "localhost")] {
            let check = try ProgramRun(["check", address], environment: environment)
            #expect(try await check.exitStatus() == 0, "\(check.standardError)")
        }
        let top = try ProgramRun(["top", url], environment: environment)
        #expect(try await top.exitStatus() == 0, "\(top.standardError)")
        #expect(proxied.withLock { $0 } == 0)
    }

    /// The target of the redirect must never receive the access token.
    @Test(arguments: commands, [301, 302, 307, 308]) func noRedirectIsFollowed(_ command: String, _ status: Int)
        async throws
    {
        let stolen = Locked<[String?]>([])
        let (thief, thiefURL) = try Self.server { request in
            stolen.withLock { $0.append(request.headers["Authorization"]) }
            return HTTPResponse(status: 200)
        }
        defer { thief.stop() }
        let sent = Locked<[String?]>([])
        let (server, url) = try Self.server { request in
            sent.withLock { $0.append(request.headers["Authorization"]) }
            return HTTPResponse(
                status: status, headers: [HTTPHeaders.Field("Location", "\(thiefURL)api\u{9B}2J")])
        }
        defer { server.stop() }
        let run = try ProgramRun(
            Self.words(command, url), environment: ["LIFETIME_TRACER_TOKEN": "secret-access-token"])
        #expect(try await run.exitStatus() == 2)
        #expect(
            run.standardError.contains("the server redirects to \(thiefURL)api"), "\(run.standardError)")
        #expect(run.standardError.contains("if you trust the new address, use that address instead"))
        #expect(!run.standardError.unicodeScalars.contains("\u{9B}"))
        #expect(stolen.withLock { $0 }.isEmpty)
        #expect(sent.withLock { $0 } == ["Bearer secret-access-token"])
    }

    @Test(arguments: commands) func silentServerIsReportedAsATimeout(_ command: String) async throws {
        let server = try ScriptedServer(nil)
        defer { withExtendedLifetime(server) {} }
        let run = try ProgramRun(Self.words(command, "127.0.0.1:\(server.port)") + ["--timeout", "0.2"])
        #expect(try await run.exitStatus() == 2)
        let problem = command == "check" ? "result unknown: no response" : "no response"
        #expect(
            run.standardError == """
                tracer-server \(command): \(problem) from http://127.0.0.1:\(server.port)/ within 0.2 s; \
                set a longer limit with --timeout

                """)
        #expect(run.standardOutput.isEmpty)
    }

    @Test func addressesNeedNoScheme() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lt-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "x.sock").path
        let (tcp, unix) = (
            TracerServer(address: ":0", registry: LifetimeRegistry()),
            TracerServer(address: "unix:\(path)", registry: LifetimeRegistry())
        )
        try tcp.start()
        defer { tcp.stop() }
        try unix.start()
        defer { unix.stop() }
        let port = try #require(tcp.url?.split(separator: ":").last?.dropLast())
        for address in [
            "127.0.0.1:\(port)", "localhost:\(port)", ":\(port)", "\(port)", "unix:\(path)", "unix://\(path)",
        ] {
            let check = try ProgramRun(["check", address])
            #expect(try await check.exitStatus() == 0, "\(address): \(check.standardError)")
        }
        let https = try ProgramRun(["check", "https://127.0.0.1:\(port)/"])
        #expect(try await https.exitStatus() == 64)
        #expect(https.standardError.contains("https is not supported"), "\(https.standardError)")
    }

    /// `HeapCommandTests`, `LeaksCommandTests` and `TasksCommandTests` print such text as well.
    @Test(arguments: ["check", "why", "top"]) func hostileTextOfAServerNeverReachesTheTerminal(_ command: String)
        async throws
    {
        let nasty = #"\u001b]0;x\u0007\u009b2J\u202e"# + "\u{9B}\u{7F}"
        let (server, url) = try Self.server { request in
            let path = request.target.split(separator: "?")[0]
            let body =
                switch path {
                case "/api/v1/summary": Canned.summary(name: nasty, growing: 1)
                case "/api/v1/growth": Canned.growth([Canned.growing("A.\(nasty)", reason: nasty)])
                case "/api/v1/types":
                    Canned.types([Canned.type("A.\(nasty)", live: 1, trend: [0, 1, 1, 2], growing: true)])
                case "/api/v1/overdue": Canned.nothingOverdue
                case "/api/v1/tokens": Canned.noTokens
                default: #"{"text":"\#(nasty)\n\#(nasty)","status":"reachable","fingerprint":null}"#
                }
            return HTTPResponse(status: 200, body: .bytes(Array(body.utf8)))
        }
        defer { server.stop() }
        for more in [[], command == "top" ? ["--once"] : ["--json"]] {
            let run = try ProgramRun(Self.words(command, url) + more)
            _ = try await run.exitStatus()
            let said = run.standardOutput + run.standardError
            #expect(!run.standardOutput.isEmpty, "\(run.standardError)")
            let obeyed = said.unicodeScalars.filter {
                $0 != "\n" && ($0.properties.generalCategory == .control || $0 == "\u{202E}")
            }
            #expect(obeyed.isEmpty, "\(command) \(more): \(said.debugDescription)")
        }
    }
}
