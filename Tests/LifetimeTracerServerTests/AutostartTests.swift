import ForkTesting
import Foundation
import Glibc
import LifetimeTracer
import Testing

@testable import LifetimeTracerServer

private final class Session: TracedObject {}

extension ServerTests {
    /// The environment variables that start a server.
    @Suite struct AutostartTests {
        @Test(arguments: ["", "off", "OFF"]) func emptyOrOffStartsNoServer(value: String) throws {
            #expect(try Autostart.address(in: value) == nil)
            #expect(Autostart.start(address: value, accessToken: nil) == nil)
        }

        @Test(arguments: [
            ("8089", ListenAddress.tcp(host: "127.0.0.1", port: 8089)), ("0", .tcp(host: "127.0.0.1", port: 0)),
            (":0", .tcp(host: "127.0.0.1", port: 0)), ("[::1]:1", .tcp(host: "::1", port: 1)),
            ("unix:/x", .unix(path: "/x")),
        ])
        func variableIsParsedAsAnAddress(value: String, address: ListenAddress) throws {
            #expect(try Autostart.address(in: value) == address)
        }

        @Test(arguments: ["on", "1.2.3.4", "yes please", "localhost:http", "unix:", "127.0.0.1:99999", "\u{1B}[2J"])
        func invalidAddressIsReportedInOneLine(value: String) throws {
            let line = try #require(Autostart.start(address: value, accessToken: nil))
            #expect(line.hasPrefix("server not started, because LIFETIME_TRACER is \""))
            #expect(line.contains("use 8089"))
            #expect(!line.utf8.contains { $0 < 0x20 }, "nothing in it moves the cursor")
        }

        @Test func addressInUseIsReported() throws {
            let server = try TestServer()
            let line = try #require(Autostart.start(address: server.address.description, accessToken: nil))
            #expect(
                line.hasPrefix(
                    "server not started: cannot listen on \(server.address): Address already in use (errno 98)"))
        }

        @Test func nonLoopbackAddressRequiresAnAccessToken() throws {
            #expect(
                try #require(Autostart.start(address: "0.0.0.0:0", accessToken: nil)).contains("LIFETIME_TRACER_TOKEN"))
            #expect(
                try #require(Autostart.start(address: "0.0.0.0:0", accessToken: "")).contains("LIFETIME_TRACER_TOKEN"))
        }

        @Test func theEnvironmentStartsAServerBeforeMain() throws {
            #expect(try Self.standardErrorOfProgram(with: "0").hasPrefix("LifetimeTracer: http://127.0.0.1:"))
            #expect(try Self.standardErrorOfProgram(with: "off") == "")
            #expect(
                try Self.standardErrorOfProgram(with: "mistake").hasPrefix(
                    "LifetimeTracer: server not started, because "))
            #expect(
                try Self.standardErrorOfProgram(with: "0 LIFETIME_TRACER_HOSTS=box.example,192.0.2.7")
                    .hasPrefix("LifetimeTracer: http://127.0.0.1:"))
            #expect(
                try Self.standardErrorOfProgram(with: "0 LIFETIME_TRACER_HOSTS=box/x")
                    .hasPrefix(
                        "LifetimeTracer: server not started, because LIFETIME_TRACER_HOSTS is \"box/x\": "
                            + "\"box/x\" is not a valid allowed host"
                    )
            )
        }

        @Test func missingKnownLeaksFileIsReportedInOneLine() throws {
            let line = try #require(
                Autostart.start(address: "0", accessToken: nil, knownLeaks: "/nonexistent/leaks.json"))
            let start =
                "server not started, because LIFETIME_TRACER_KNOWN_LEAKS is \"/nonexistent/leaks.json\": "
                + "known leaks file, "
            #expect(line.hasPrefix(start), "\(line)")
            #expect(!line.utf8.contains { $0 < 0x20 })
            #expect(
                try Self.standardErrorOfProgram(with: "0 LIFETIME_TRACER_KNOWN_LEAKS=/nonexistent/leaks.json")
                    .hasPrefix("LifetimeTracer: server not started, because LIFETIME_TRACER_KNOWN_LEAKS is "))
        }

        @Test(arguments: [
            ("connections=many", "connections = \"many\" is not a number; use a whole number"),
            ("connections=0", "connections = 0 is out of range; use 1 to 65536"),
            ("slots=3", "\"slots\" is not the name of a limit; use connections, connectionsPerAddress, "),
        ])
        func invalidLimitsAreReported(list: String, reason: String) throws {
            let start = "server not started, because LIFETIME_TRACER_LIMITS is \"\(list)\": \(reason)"
            let line = try #require(Autostart.start(address: "0", accessToken: nil, limits: list))
            #expect(line.hasPrefix(start), "\(line)")
            #expect(
                try Self.standardErrorOfProgram(with: "0 LIFETIME_TRACER_LIMITS=\(list)")
                    .hasPrefix("LifetimeTracer: \(start)"))
        }

        @Test func limitsFromTheEnvironmentApply() async {
            await #expect(processExitsWith: .success) {
                #expect(Autostart.start(address: "0", accessToken: nil, limits: "connections=4,streams=0") != nil)
                let client = try TestClient(#require(Autostart.server?.address))
                client.request("GET", "/api/v1/events")
                let reply = try client.reply()
                #expect(reply.status == 503)
                #expect(reply.text.contains("All 0 streams are in use."))
            }
        }

        @Test func hostsFromTheEnvironmentPassTheGate() async {
            await #expect(processExitsWith: .success) {
                #expect(Autostart.start(address: "0", accessToken: nil, hosts: " box.example , 192.0.2.7:80") != nil)
                let client = try TestClient(#require(Autostart.server?.address))
                for (host, status) in [("box.example:9", 200), ("192.0.2.7", 200), ("other.example", 421)] {
                    client.send("GET /api/v1/summary HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                    #expect(try client.reply().status == status, "\(host)")
                }
            }
        }

        @Test func startInCodeTakesOverTheAutostartedServer() async throws {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                Autostart.startBeforeMain("0")
                let address = try #require(Autostart.server?.address)
                for text in [address.description, address.description.replacing("127.0.0.1", with: "localhost")] {
                    let server = TracerServer(address: text)
                    try server.start()
                    #expect(server.address == address)
                    #expect(server.url == address.url)
                    #expect(#expect(throws: ServerError.self) { try server.start() }?.code == .alreadyRunning)
                    server.stop()
                    #expect(server.address == nil)
                    let client = try TestClient(address)
                    client.request("GET", "/healthz")
                    #expect(try client.reply().status == 200, "what the environment started goes on")
                    try server.start()
                    #expect(server.address == address, "and is taken again")
                }
            }
            let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(!said.contains("already served"), "nothing is lost: \(said)")
        }

        @Test func limitsIgnoredByTheAutostartedServerAreReported() async {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                Autostart.startBeforeMain("0")
                let address = try #require(Autostart.server?.address)
                try TracerServer(address: address, limits: ServerLimits(connections: 32)).start()
            }
            let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(said.contains("limits, known leaks and rules replace those given in code"), "\(said)")
        }

        @Test func accessTokenIgnoredByTheAutostartedServerIsReported() async {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                Autostart.startBeforeMain("0")
                let address = try #require(Autostart.server?.address)
                try TracerServer(address: address, accessToken: "a-secret-of-20-bytes").start()
            }
            let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(said.contains("is already served by the server that LIFETIME_TRACER started"), "\(said)")
            #expect(!said.contains("secret"))
        }

        @Test func startForAnotherAddressUsesTheAutostartedServer() async throws {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                endThisProcess(after: 120)
                Autostart.startBeforeMain("0")
                let address = try #require(Autostart.server?.address)
                let folder = try TestFolder()
                for wanted in ["0", "0.0.0.0:0", "unix:\(folder.path("socket"))"] {
                    let before = ProcessTable.sockets
                    let server = TracerServer(
                        address: wanted, accessToken: wanted.hasPrefix("0.") ? "a-secret-of-20-bytes" : nil)
                    try server.start()
                    #expect(server.address == address)
                    // libmicrohttpd may still close the socket with which its start was awaited.
                    #expect(Set(ProcessTable.sockets).subtracting(before).isEmpty, "\(wanted)")
                    #expect(#expect(throws: ServerError.self) { try server.start() }?.code == .alreadyRunning)
                    server.stop()
                    #expect(server.address == nil)
                }
                #expect(folder.names.isEmpty)
                let client = try TestClient(address)
                client.request("GET", "/healthz")
                #expect(try client.reply().status == 200, "the autostarted server keeps running")
            }
            let lines = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
                .split(separator: "\n").filter { $0.hasPrefix("LifetimeTracer: no server started at ") }
            #expect(lines.count == 3, "\(lines)")
            let first = try #require(lines.first)
            let wanted = /at 127\.0\.0\.1:0, because the server that LIFETIME_TRACER started at 127\.0\.0\.1:[1-9]/
            #expect(first.contains(wanted))
            #expect(first.hasSuffix("the same registry; to use the settings given in code, unset LIFETIME_TRACER"))
            #expect(!first.contains("access token"), "no setting is lost")
            #expect(lines.dropFirst().first?.contains(": its access token, hosts, ") == true)
        }

        @Test func serverForAnotherRegistryIsNotTheAutostartedServer() async {
            await #expect(processExitsWith: .success) {
                Autostart.startBeforeMain("0")
                let address = try #require(Autostart.server?.address)
                let stranger = TracerServer(address: address, registry: LifetimeRegistry())
                let error = #expect(throws: ServerError.self) { try stranger.start() }
                #expect(error?.code == .addressInUse)
                #expect(error?.message.contains("another registry") == true)
                let second = TracerServer(address: "0", registry: LifetimeRegistry())
                try second.start()
                #expect(second.address != nil && second.address != address)
                second.stop()
                let taken = try TestServer()
                let other = TracerServer(address: taken.address, registry: LifetimeRegistry())
                #expect(#expect(throws: ServerError.self) { try other.start() }?.message.contains("registry") == false)
            }
        }

        @Test func mistakesInCodeAreErrorsBesideTheAutostartedServer() async {
            await #expect(processExitsWith: .success) {
                Autostart.startBeforeMain("0")
                for (server, code) in [
                    (TracerServer(address: "nonsense"), ServerError.Code.invalidAddress),
                    (TracerServer(address: "0.0.0.0:0"), .accessTokenRequired),
                    (TracerServer(address: "0", knownLeaks: "/nonexistent/leaks.json"), .invalidKnownLeaks),
                ] {
                    #expect(#expect(throws: ServerError.self) { try server.start() }?.code == code)
                }
            }
        }

        /// Runs the test program again with `LIFETIME_TRACER` set, and returns its standard error.
        ///
        /// The program only lists its tests.
        static func standardErrorOfProgram(with value: String) throws -> String {
            let command = "LIFETIME_TRACER=\(value) /proc/\(getpid())/exe --list-tests 2>&1 >/dev/null"
            let pipe = try #require(popen(command, "r"))
            defer { pclose(pipe) }
            var output: [UInt8] = []
            while case let byte = fgetc(pipe), byte != EOF { output.append(UInt8(truncatingIfNeeded: byte)) }
            return String(decoding: output, as: UTF8.self)
        }
    }
}
