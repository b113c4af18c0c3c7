import Glibc
import LifetimeTracer
import LifetimeTracerDashboard
import Testing

@testable import LifetimeTracerServer

extension ServerTests {
    /// The sources of the access token, and the tokens that a server accepts.
    @Suite struct AccessTokenTests {
        private let good = "0123456789abcdef"
        private let folder: TestFolder

        init() throws {
            folder = try TestFolder()
        }

        private func file(_ text: String, mode: mode_t = 0o600) throws -> String {
            let path = folder.path("token")
            let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            try #require(descriptor >= 0)
            defer { close(descriptor) }
            let bytes = Array(text.utf8)
            try #require(write(descriptor, bytes, bytes.count) == bytes.count)
            try #require(fchmod(descriptor, mode) == 0)
            return path
        }

        private func read(_ environment: [String: String], option: String? = nil) throws -> (
            String?, warnings: [String]
        ) {
            var warnings: [String] = []
            let accessToken = try AccessToken.read(from: environment, fileOption: option) { warnings.append($0) }
            return (accessToken, warnings)
        }

        @Test func accessTokenIsReadFromTheEnvironment() throws {
            #expect(try read([:]).0 == nil)
            #expect(try read(["LIFETIME_TRACER_TOKEN": "", "LIFETIME_TRACER_TOKEN_FILE": ""]).0 == nil)
            #expect(try read(["LIFETIME_TRACER_TOKEN": good]).0 == good)
        }

        @Test(arguments: ["", "\n", "\r\n", "  \n", "\nsecond line\n"]) func accessTokenIsTheFirstLineOfTheFile(
            _ rest: String
        ) throws {
            let path = try file("\t 0123456789abcdef \(rest)")
            let (accessToken, warnings) = try read(["LIFETIME_TRACER_TOKEN_FILE": path])
            #expect(accessToken == good)
            #expect(warnings.isEmpty)
        }

        @Test func fileOptionOverridesTheEnvironment() throws {
            let path = try file(good)
            #expect(try read(["LIFETIME_TRACER_TOKEN": "another-of-19-bytes"], option: path).0 == good)
        }

        @Test func settingBothVariablesIsAnError() throws {
            let path = try file(good)
            let error = #expect(throws: ServerError.self) {
                try read(["LIFETIME_TRACER_TOKEN": good, "LIFETIME_TRACER_TOKEN_FILE": path])
            }
            #expect(error?.code == .invalidAccessToken)
            #expect(error?.message == "both LIFETIME_TRACER_TOKEN and LIFETIME_TRACER_TOKEN_FILE (\"\(path)\") are set")
        }

        @Test(arguments: [
            ("", "has an empty first line"), ("\n0123456789abcdef", "has an empty first line"),
            ("two words of length", "cannot be used"), ("zero\u{0}byte-of-length", "cannot be used"),
            (String(repeating: "x", count: 100_000), "has more than 1024 characters"),
        ])
        func unusableFileContentIsAnError(_ text: String, _ problem: String) throws {
            let path = try file(text)
            let error = #expect(throws: ServerError.self) { try read(["LIFETIME_TRACER_TOKEN_FILE": path]) }
            #expect(error?.code == .invalidAccessToken)
            #expect(
                error?.message.contains("\"\(path)\" \(problem)") == true || error?.message.contains(problem) == true)
            #expect(error.map { !"\($0)".contains("0123456789abcdef") && !"\($0)".contains("two words") } == true)
        }

        @Test func missingOrIrregularFileIsAnError() throws {
            let pipe = folder.path("pipe")
            try #require(mkfifo(pipe, 0o600) == 0)
            for (path, problem) in [
                (folder.path("nothing"), "cannot be opened: No such file or directory (errno 2)"),
                (folder.path, "is not a regular file"),
                (pipe, "is not a regular file"), ("/dev/zero", "is not a regular file"),
            ] {
                let error = #expect(throws: ServerError.self) { try read(["LIFETIME_TRACER_TOKEN_FILE": path]) }
                #expect(error?.message == "the access token file \"\(path)\" \(problem)")
            }
        }

        @Test(arguments: [(0o600, false), (0o400, false), (0o640, true), (0o604, true), (0o444, true)])
        func fileReadableByOthersCausesAWarning(_ mode: mode_t, _ isWarning: Bool) throws {
            let path = try file(good, mode: mode)
            let (accessToken, warnings) = try read(["LIFETIME_TRACER_TOKEN_FILE": path])
            #expect(accessToken == good)
            #expect(warnings.count == (isWarning ? 1 : 0))
            #expect(warnings.allSatisfy { $0.contains(path) && $0.contains("chmod 600") && !$0.contains(good) })
        }

        @Test func serverRefusesShortAccessToken() throws {
            let error = #expect(throws: ServerError.self) {
                try TracerServer(address: ":0", accessToken: "15-characters-x").start()
            }
            #expect(error?.code == .invalidAccessToken)
            #expect(error?.message.hasPrefix("the access token has 15 characters") == true)
            #expect(error?.hint == "generate a token with: openssl rand -hex 16")
            let server = TracerServer(address: ":0", registry: LifetimeRegistry(), accessToken: good)
            try server.start()
            server.stop()
        }

        @Test func autostartReportsAccessTokenErrors() throws {
            let line = try #require(
                Autostart.start(address: "0", accessToken: nil, accessTokenFile: "/nonexistent/token"))
            #expect(
                line.hasPrefix("server not started: the access token file \"/nonexistent/token\" cannot be opened: "))
            let both = try #require(
                Autostart.start(address: "0", accessToken: good, accessTokenFile: "/nonexistent/token"))
            #expect(both.hasPrefix("server not started: both LIFETIME_TRACER_TOKEN and LIFETIME_TRACER_TOKEN_FILE"))
            let short = try #require(Autostart.start(address: "0", accessToken: "short"))
            #expect(short.hasPrefix("server not started: the access token has 5 characters"))
        }

        @Test func wrongAccessTokensAreRateLimitedAndTheRightTokenPasses() throws {
            let server = TracerServer(address: ":0", registry: LifetimeRegistry(), accessToken: good)
            try server.start()
            defer { server.stop() }
            let client = try TestClient(#require(server.address))
            var statuses: [Int] = []
            for number in 0..<12 {
                client.request("GET", "/api/v1/summary", headers: "Authorization: Bearer wrong\(number)\r\n")
                let reply = try client.reply()
                statuses.append(reply.status)
                #expect((reply["Retry-After"] != nil) == (reply.status == 429))
            }
            #expect(statuses == Array(repeating: 401, count: 10) + [429, 429])
            client.request("GET", "/api/v1/summary", headers: "Authorization: Bearer \(good)\r\n")
            #expect(try client.reply().status == 200)
        }

        @Test func requestCarriesTheClientAddress() throws {
            let seen = Locked<[String?]>([])
            let route = Route(.get, "/who", summary: "Who asks.") { request in
                seen.withLock { $0.append(request.request.clientAddress) }
                return HTTPResponse(status: 200)
            }
            for address in ["127.0.0.1:0", "[::1]:0", "unix:\(folder.path("socket"))"] {
                let server = try TracerServer(
                    address: ListenAddress(address), registry: LifetimeRegistry(), routes: [route])
                try server.start()
                defer { server.stop() }
                let client = try TestClient(#require(server.address))
                client.request("GET", "/who")
                #expect(try client.reply().status == 200)
            }
            #expect(seen.withLock { $0 } == ["127.0.0.1", "::1", nil])
        }

        /// RFC 9110, 8.6: a 304 response has the same Content-Length as the 200 response, or none.
        @Test(arguments: ["GET", "HEAD"]) func notModifiedResponseHasTheFullContentLengthOrNone(_ method: String) throws
        {
            let server = TracerServer(address: ":0", registry: LifetimeRegistry())
            try server.start()
            defer { server.stop() }
            let client = try TestClient(#require(server.address))
            client.request("GET", "/app.js")
            let full = try client.reply()
            let tag = try #require(full["ETag"])
            client.request(method, "/app.js", headers: "If-None-Match: \(tag)\r\n")
            let unchanged = try client.reply(to: method)
            #expect(unchanged.status == 304)
            let length = unchanged["Content-Length"]
            #expect(length == nil || length == String(full.body.count))
            #expect(unchanged["ETag"] == tag)
            // If the 304 had a body, the next response would begin at the wrong byte.
            client.request("GET", "/healthz")
            #expect(try client.reply().status == 200)
        }
    }
}
