import Foundation
import LifetimeTracer
import LifetimeTracerDashboard
import Testing

@testable import LifetimeTracerServer

private final class Session: TracedObject {}

extension ServerTests {
    /// The interface for a program that embeds the server.
    @Suite struct TracerServerTests {
        @Test func startedServerHasAURLAndAnswersHealthz() throws {
            let server = TracerServer(address: ":0")
            #expect(server.url == nil)
            try server.start()
            defer { server.stop() }
            let address = try #require(server.address)
            #expect(server.url == "http://\(address)/")
            let client = try TestClient(address)
            client.send("GET /healthz HTTP/1.1\r\nHost: \(address)\r\n\r\n")
            #expect(try client.reply().status == 200)
        }

        @Test(arguments: ["0.0.0.0:0", "[::]:0", "192.0.2.1:8089"])
        func nonLoopbackAddressRequiresAnAccessToken(address: String) {
            let error = #expect(throws: ServerError.self) { try TracerServer(address: address).start() }
            #expect(error?.code == .accessTokenRequired)
            #expect(error?.description.contains(address) == true)
            #expect(error?.hint.contains("token") == true)
        }

        @Test func accessTokenPermitsANonLoopbackAddress() throws {
            let server = TracerServer(address: "0.0.0.0:0", accessToken: "a-secret-of-20-bytes")
            try server.start()
            #expect(server.address?.isLoopback == false)
            server.stop()
        }

        @Test(arguments: [
            "", " ", "two words", "http://box.example", "box.example/", "box.example:http", "box:99999", "[box]",
            "[::1",
            "a,b", "caf\u{E9}", "\u{1B}[2J",
        ]) func invalidAllowedHostIsRefused(host: String) {
            let error = #expect(throws: ServerError.self) {
                try TracerServer(address: ":0", allowedHosts: ["fine.example", host]).start()
            }
            #expect(error?.code == .invalidHost)
            #expect(
                error?.message.contains("\"\(host.replacing("\u{1B}", with: "\u{FFFD}"))\" is not a valid allowed host")
                    == true)
        }

        @Test func rulesAreReadAtEachStart() throws {
            let folder = try TestFolder()
            let file = folder.path("rules.json")
            let registry = LifetimeRegistry()
            let server = TracerServer(address: ":0", registry: registry, rules: file)
            let missing = #expect(throws: ServerError.self) { try server.start() }
            #expect(missing?.code == .invalidRules)
            #expect(missing?.message.hasPrefix("rules file, \(file): The file cannot be opened: ") == true)
            func start(_ rules: String) throws -> [TypeRecord] {
                try Data(rules.utf8).write(to: URL(filePath: file))
                try server.start()
                server.stop()
                return registry.snapshot().types
            }
            let wrong = #expect(throws: ServerError.self) { try start("{\n\"types\": [1]}") }
            #expect(wrong?.message.contains("line 2: An object is expected for a rule for types") == true)
            #expect(wrong?.hint.hasPrefix("Write {") == true && server.address == nil)
            let session = registry.withCurrent { Session() }
            let before = try start(#"{"types": [{"pattern": "*.Session", "budget": 3}]}"#)
            #expect(before.first?.budget == 3, "the rules stay in force when the server stops")
            #expect(registry.ruleStatus()?.file == file)
            let after = try start(#"{"groups": [{"name": "all", "patterns": ["*"]}]}"#)
            #expect(after.first?.budget == nil && after.first?.group == "all")
            withExtendedLifetime(session) {}
        }

        /// Known leaks come from both files.
        @Test func invalidKnownLeaksOfTheRulesAreReported() throws {
            let folder = try TestFolder()
            try Data(#"{"knownLeaks": "leaks.json"}"#.utf8).write(to: URL(filePath: folder.path("rules.json")))
            let server = TracerServer(address: ":0", registry: LifetimeRegistry(), rules: folder.path("rules.json"))
            let missing = #expect(throws: ServerError.self) { try server.start() }
            #expect(missing?.message.hasPrefix("rules file, \(folder.path("leaks.json")): The file cannot") == true)
        }

        @Test func knownLeaksAreReadAtEachStart() throws {
            let file = FileManager.default.temporaryDirectory.appending(path: "leaks-\(UUID().uuidString).json")
            defer { try? FileManager.default.removeItem(at: file) }
            let server = TracerServer(address: ":0", knownLeaks: file.path)
            let missing = #expect(throws: ServerError.self) { try server.start() }
            #expect(missing?.code == .invalidKnownLeaks)
            #expect(missing?.message.contains(file.path) == true, "\(missing as Any)")
            try Data("[\n\n{\"fingerprint\":\"x\",\"reason\":\"r\"}]".utf8).write(to: file)
            let wrong = #expect(throws: ServerError.self) { try server.start() }
            #expect(wrong?.message.contains("line 3: 'x' is not a fingerprint.") == true, "\(wrong as Any)")
            #expect(wrong?.hint.contains("16 hexadecimal digits") == true)
            try Data("[]".utf8).write(to: file)
            try server.start()
            server.stop()
        }

        @Test func allowedHostsPassTheGate() throws {
            let server = TracerServer(
                address: ":0",
                allowedHosts: ["Box.example", "port.example:80", "192.0.2.7", "2001:db8::1", "[2001:db8::2]"])
            try server.start()
            defer { server.stop() }
            let client = try TestClient(#require(server.address))
            let known = ["box.example", "port.example", "192.0.2.7", "[2001:db8::1]", "[2001:DB8::2]:8089"]
            for (host, status) in known.map({ ($0, 200) }) + [("2001.example", 421), ("[2001:db8::3]", 421)] {
                client.send("GET /api/v1/summary HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                #expect(try client.reply().status == status, "\(host)")
            }
        }

        /// Clients of a server on a wildcard address use the address of an interface.
        @Test func machineAddressesPassTheGateOnAWildcardAddress() throws {
            let server = TracerServer(address: "0.0.0.0:0", accessToken: "a-secret-of-20-bytes")
            try server.start()
            defer { server.stop() }
            let own = OwnAddresses.hosts
            try #require(own.contains("127.0.0.1"))
            let address = try #require(server.address)
            guard case .tcp(_, let port) = address else { return }
            #expect(server.url == "http://127.0.0.1:\(port)/", "0.0.0.0 opens in no browser")
            let client = try TestClient(.tcp(host: "127.0.0.1", port: port))
            for (host, status) in own.map({ ($0, 200) }) + [("192.0.2.1", 421), ("stranger.example", 421)] {
                client.send(
                    "GET /api/v1/summary HTTP/1.1\r\nHost: \(host):\(port)\r\n"
                        + "Authorization: Bearer a-secret-of-20-bytes\r\n\r\n")
                #expect(try client.reply().status == status, "\(host)")
            }
        }

        @Test(arguments: [
            "", "two words of length", "a line of length\r\n", "\u{E9}\u{E9}\u{E9}\u{E9}\u{E9}\u{E9}\u{E9}\u{E9}",
        ])
        func invalidAccessTokenIsRefused(accessToken: String) {
            let error = #expect(throws: ServerError.self) {
                try TracerServer(address: ":0", accessToken: accessToken).start()
            }
            #expect(error?.code == .invalidAccessToken)
        }

        @Test func requestWithoutAccessTokenIsRefused() throws {
            let server = TracerServer(address: ":0", accessToken: "a-secret-of-20-bytes")
            try server.start()
            defer { server.stop() }
            let client = try TestClient(#require(server.address))
            client.request("GET", "/api/v1/summary")
            #expect(try client.reply().status == 401)
            client.request("GET", "/api/v1/summary", headers: "Authorization: Bearer a-secret-of-20-bytes\r\n")
            #expect(try client.reply().status == 200)
        }

        @Test(arguments: ["127.0.0.2:0", "localhost:0"]) func ownAddressPassesTheGate(address: String) throws {
            let server = TracerServer(address: address)
            try server.start()
            defer { server.stop() }
            let address = try #require(server.address)
            let client = try TestClient(address)
            for (host, status) in [("\(address)", 200), ("stranger.example", 421)] {
                client.send("GET /api/v1/summary HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                #expect(try client.reply().status == status)
            }
        }

        @Test func eventStreamStartsWithHelloAndEndsWithTheServer() throws {
            let server = TracerServer(address: ":0")
            try server.start()
            let client = try TestClient(#require(server.address))
            client.request("GET", "/api/v1/events")
            let head = try client.head()
            #expect(head["Content-Type"]?.hasPrefix("text/event-stream") == true)
            var text = ""
            while !text.contains("event: hello") {
                let chunk = try #require(try client.chunk())
                text += String(decoding: chunk, as: UTF8.self)
            }
            server.stop()
            while try client.chunk() != nil {}
        }

        @Test func unixSocketNeedsNoHost() throws {
            let folder = try TestFolder()
            let server = TracerServer(address: "unix:" + folder.path("tracer.sock"))
            try server.start()
            defer { server.stop() }
            let client = try TestClient(#require(server.address))
            client.send("GET /api/v1/summary HTTP/1.1\r\n\r\n")
            #expect(try client.reply().status == 200)
        }

        @Test func invalidAddressIsRefused() {
            let server = TracerServer(address: "example.com:80")
            let error = #expect(throws: ServerError.self) { try server.start() }
            #expect(error?.code == .invalidAddress)
            #expect(error?.description.contains("example.com:80") == true)
        }

        @Test func stoppedServerStartsAgain() throws {
            let server = TracerServer(address: ":0")
            for _ in 0..<3 {
                try server.start()
                #expect(server.address != nil)
                server.stop()
                #expect(server.address == nil)
            }
        }
    }
}
