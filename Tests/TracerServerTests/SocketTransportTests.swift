import Foundation
import LifetimeTracer
import LifetimeTracerDashboard
import LifetimeTracerServer
import Testing

@testable import tracer_server

/// The transport of requests and responses over real sockets.
///
/// The time limit includes the time for which a test waits for a thread, because all tests are started at once.
@Suite(.timeLimit(.minutes(20))) struct SocketTransportTests {
    private static func failure(_ server: ScriptedServer, timeout: Duration = .seconds(30)) async -> ClientFailure? {
        defer { withExtendedLifetime(server) {} }
        let transport = SocketTransport(
            address: .tcp(host: "127.0.0.1", port: server.port), token: nil, timeout: timeout)
        return await #expect(throws: ClientFailure.self) { try await transport.get("x") }
    }

    /// The failure of a request that runs out of time at or after a step, and the timeout in seconds.
    ///
    /// On a busy machine the steps before it may take longer than a short timeout, so longer ones are tried as well.
    private static func timeout(_ server: ScriptedServer, pastSteps: [String]) async -> (ClientFailure?, seconds: Int) {
        var seconds = 1
        while true {
            let failure = await failure(server, timeout: .seconds(seconds))
            let isEarly = pastSteps.contains { failure?.description.hasPrefix("no \($0)") == true }
            if !isEarly || seconds > 60 { return (failure, seconds) }
            seconds *= 4
        }
    }

    @Test func contentLengthEndsTheResponseOfAnOpenConnection() async throws {
        let server = try ScriptedServer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokay")
        defer { withExtendedLifetime(server) {} }
        let transport = SocketTransport(
            address: .tcp(host: "localhost", port: server.port), token: nil, timeout: .seconds(30))
        let reply = try await transport.get("x")
        #expect(reply.status == 200 && String(decoding: reply.body, as: UTF8.self) == "ok")
    }

    @Test func responseWithoutLengthEndsWithTheConnection() async throws {
        let server = try ScriptedServer("HTTP/1.0 404 No\r\n\r\nnothing", closes: true)
        defer { withExtendedLifetime(server) {} }
        let transport = SocketTransport(
            address: .tcp(host: "127.0.0.1", port: server.port), token: nil, timeout: .seconds(30))
        let reply = try await transport.get("x")
        #expect(reply.status == 404 && String(decoding: reply.body, as: UTF8.self) == "nothing")
    }

    @Test func silentServerCausesATimeout() async throws {
        let server = try ScriptedServer(nil)
        defer { withExtendedLifetime(server) {} }
        let (failure, seconds) = await Self.timeout(server, pastSteps: ["connection"])
        let message =
            "no response from http://127.0.0.1:\(server.port)/ within \(seconds) s; set a longer limit with --timeout"
        #expect(failure == .unreachable(message))
    }

    @Test func incompleteResponseCausesATimeout() async throws {
        let server = try ScriptedServer("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
        defer { withExtendedLifetime(server) {} }
        let (failure, _) = await Self.timeout(server, pastSteps: ["connection", "response"])
        #expect(
            failure?.description.hasPrefix("no complete response from http://127.0.0.1:") == true, "\(failure as Any)")
        #expect(failure?.isTemporary == true)
    }

    @Test(arguments: [
        ("", "closed the connection without a response", true),
        ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{", "closed the connection before the end of the response", true),
        ("HTTP/1.1 200", "closed the connection before the end of the response", true),
        ("SMTP ready\r\n\r\n", "did not send an HTTP response", false), ("H", "before the end of the response", true),
        ("HTTP/1.1 OK\r\n\r\n", "did not send an HTTP response", false),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "sent a chunked response", false),
        ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "Content-Length of -1 bytes", false),
        ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", "Content-Length of 99999999999 bytes", false),
    ]) func invalidResponseIsReported(_ bytes: String, _ part: String, _ isTemporary: Bool) async throws {
        let failure = await Self.failure(try ScriptedServer(bytes, closes: true))
        #expect(failure?.description.contains(part) == true, "\(failure as Any)")
        #expect(failure?.isTemporary == isTemporary)
    }

    @Test func endlessResponseHeadIsRefused() async throws {
        let failure = await Self.failure(
            try ScriptedServer("HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 100_000)))
        #expect(
            failure?.description.contains("sent more than 65536 bytes of HTTP header fields") == true,
            "\(failure as Any)")
    }

    @Test func unknownHostNameIsReported() async throws {
        let transport = SocketTransport(
            address: .tcp(host: "no-such-host.invalid", port: 1), token: nil, timeout: .seconds(60))
        let failure = await #expect(throws: ClientFailure.self) { try await transport.get("x") }
        #expect(failure?.description.hasPrefix("cannot reach http://no-such-host.invalid:1/: ") == true)
    }

    @Test func oversizedSocketPathIsReported() async throws {
        let path = "/" + String(repeating: "x", count: 200)
        let transport = SocketTransport(address: .unix(path: path), token: nil, timeout: .seconds(30))
        let failure = await #expect(throws: ClientFailure.self) { try await transport.get("x") }
        #expect(failure?.description.contains("has a path of 201 bytes; the path of a Unix socket has at most") == true)
        #expect(failure?.isTemporary == false)
    }

    @Test(arguments: ["a b", "a\r\nX: y", "a\u{7F}"]) func accessTokenWithSpaceOrControlCharacterIsRefused(
        _ token: String
    )
        async
    {
        let transport = SocketTransport(address: .unix(path: "/x"), token: token, timeout: .seconds(30))
        let failure = await #expect(throws: ClientFailure.self) { try await transport.get("x") }
        #expect(failure?.description.contains("access token contains a space or a control character") == true)
        #expect(failure?.isTemporary == false)
    }

    @Test func requestBodyArrivesWhole() async throws {
        let received = Locked<[UInt8]>([])
        let server = HTTPServer(configuration: ServerConfiguration(address: .tcp(host: "127.0.0.1", port: 0))) {
            request in
            received.withLock { $0 = request.body }
            return HTTPResponse(status: 202)
        }
        try server.start()
        defer { server.stop() }
        guard case .tcp(let host, let port) = server.address else { throw NotInTime(description: "an address") }
        let transport = SocketTransport(address: .tcp(host: host, port: port), token: nil, timeout: .seconds(30))
        let reply = try await transport.send(.post("api", json: #"{"ids":[1]}"#))
        #expect(reply.status == 202)
        #expect(received.withLock { String(decoding: $0, as: UTF8.self) } == #"{"ids":[1]}"#)
    }
}
