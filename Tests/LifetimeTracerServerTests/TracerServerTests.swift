import LifetimeTracerDashboard
import LifetimeTracerServer
import Testing

extension ServerTests {
    /// What a program that embeds the server sees.
    @Suite struct TracerServerTests {
        @Test func servesTheDashboard() throws {
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
        func otherMachinesNeedAToken(address: String) {
            let error = #expect(throws: ServerError.self) { try TracerServer(address: address).start() }
            #expect(error?.code == .tokenRequired)
            #expect(error?.description.contains(address) == true)
            #expect(error?.hint.contains("token") == true)
        }

        @Test func withATokenOtherMachinesMayConnect() throws {
            let server = TracerServer(address: "0.0.0.0:0", token: "secret")
            try server.start()
            #expect(server.address?.isLoopback == false)
            server.stop()
        }

        @Test(arguments: ["", "two words", "line\r\n", "\u{E9}"]) func uselessToken(token: String) {
            let error = #expect(throws: ServerError.self) { try TracerServer(address: ":0", token: token).start() }
            #expect(error?.code == .invalidToken)
        }

        @Test func theTokenIsAskedFor() throws {
            let server = TracerServer(address: ":0", token: "secret")
            try server.start()
            defer { server.stop() }
            let client = try TestClient(#require(server.address))
            client.request("GET", "/api/v1/summary")
            #expect(try client.reply().status == 401)
            client.request("GET", "/api/v1/summary", headers: "Authorization: Bearer secret\r\n")
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

        @Test func eventsComeAndEndWithTheServer() throws {
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

        @Test func unreadableAddress() {
            let server = TracerServer(address: "example.com:80")
            let error = #expect(throws: ServerError.self) { try server.start() }
            #expect(error?.code == .invalidAddress)
            #expect(error?.description.contains("example.com:80") == true)
        }

        @Test func startsAgain() throws {
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
