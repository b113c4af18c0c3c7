import Dispatch
import Glibc
import LifetimeTracer
import LifetimeTracerDashboard
import Testing

@testable import LifetimeTracerServer

extension ServerTests {
    /// Clients that hold connections, and the clients that connect after them.
    @Suite struct ConnectionLimitTests {
        @Test(arguments: [
            "", "GET / HT", "GET / HTTP/1.1\r\nX-Slow: ",
            "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nx",
        ])
        func oldestIncompleteRequestIsEvicted(start: String) throws {
            let server = try Self.server(connections: 9)
            let witness = try server.client()
            let holders = try (0..<8).map { _ in
                let holder = try server.client()
                holder.send(start)
                // The server may read waiting connections in any order, and the age of a request counts from when the
                // server has read its head. In the round in which it answers the second request, or earlier, the server
                // has read the holder's bytes.
                for _ in 0..<2 {
                    witness.request()
                    #expect(try witness.reply().status == 200)
                }
                return holder
            }
            for number in 0..<3 {
                let client = try server.client()
                client.request()
                #expect(try client.reply().status == 200)
                client.disconnect()
                guard number == 0 else { continue }
                #expect(try holders[0].isClosedByPeer())
            }
            #expect(holders.dropFirst(3).allSatisfy { !$0.isClosed(within: 0) }, "the youngest stay")
            let rest = start.isEmpty || start == "GET / HT" ? nil : start
            guard let rest else { return }
            holders[7].send(rest.hasPrefix("POST") ? "12345678" : "x\r\nHost: localhost\r\n\r\n")
            #expect(try holders[7].reply().status == 200)
        }

        @Test func oldestKeepAliveConnectionIsEvicted() throws {
            let server = try Self.server(connections: 3)
            let clients = try (0..<3).map { _ in
                let client = try server.client()
                client.request()
                #expect(try client.reply().status == 200)
                return client
            }
            let fourth = try server.client()
            fourth.request()
            #expect(try fourth.reply().status == 200)
            #expect(try clients[0].isClosedByPeer())
            clients[2].request()
            #expect(try clients[2].reply().status == 200)
        }

        @Test(arguments: [
            "GET / HTTP/1.1\r\nHost: loc", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx", "",
        ])
        func closedPeerWithIncompleteRequestIsDisconnected(start: String) throws {
            // If the end of the connection arrives with the last bytes, libmicrohttpd itself notices it only after the
            // idle timeout.
            let server = try Self.server(connections: 8) { $0.probeInterval = .milliseconds(20) }
            for _ in 0..<3 {
                let client = try server.client()
                client.send(start)
                client.finishSending()
                #expect(try client.isClosedByPeer())
            }
        }

        /// The server disconnects a peer that two looks in a row find closed.
        @Test func twoLooksAtThePeersTakeLessThanASecond() {
            #expect(ServerConfiguration().probeInterval * 2 < .seconds(1))
        }

        @Test func peerClosedAfterItsRequestIsDisconnected() throws {
            let server = try Self.server(connections: 8) { $0.probeInterval = .milliseconds(20) }
            let client = try server.client()
            client.request()
            client.finishSending()
            #expect(try client.reply().status == 200)
            #expect(try client.isClosedByPeer())
        }

        @Test func slowResponseStillReachesAHalfClosedPeer() throws {
            let isAsked = DispatchSemaphore(value: 0)
            let mayAnswer = DispatchSemaphore(value: 0)
            let server = try Self.server(connections: 8) {
                $0.probeInterval = .milliseconds(100)
            } handler: { request in
                isAsked.signal()
                mayAnswer.wait()
                return .text("done")
            }
            let clients = try (0..<3).map { _ in
                let client = try server.client()
                client.request()
                client.finishSending()
                return client
            }
            isAsked.wait()
            // The server's thread is busy with one request; the other requests have arrived and wait.
            #expect(!clients.contains { $0.isClosed(within: 500) })
            for _ in clients { mayAnswer.signal() }
            for client in clients { #expect(try client.reply().text == "done") }
        }

        @Test func perAddressLimitEvictsFromTheSameAddress() throws {
            let server = try Self.server(connections: 8) { $0.limits.connectionsPerAddress = 3 }
            func client(from source: String) throws -> TestClient {
                let client = try server.client(from: source)
                client.request()
                #expect(try client.reply().status == 200)
                return client
            }
            let other = try client(from: "127.0.0.2")
            let holders = try (0..<4).map { _ in try client(from: "127.0.0.3") }
            #expect(try holders[0].isClosedByPeer())
            #expect(!other.isClosed(within: 0), "the oldest of all has another address")
            other.request()
            #expect(try other.reply().status == 200)
        }

        @Test func connectionIsRefusedWith503IfNoneCanBeEvicted() throws {
            let streams = Locked([ScriptedStream]())
            let server = try Self.server(connections: 4) {
                $0.limits.connectionsPerAddress = 2
                $0.limits.streams = 3
            } handler: { _ in
                let stream = ScriptedStream()
                streams.withLock { $0.append(stream) }
                return HTTPResponse(status: 200, body: .stream(stream))
            }
            let holders = try (0..<2).map { _ in
                let holder = try server.client(from: "127.0.0.2")
                holder.request()
                #expect(try holder.head().status == 200)
                return holder
            }
            let refused = try server.client(from: "127.0.0.2")
            let reply = try refused.reply()
            #expect(reply.status == 503)
            #expect(reply["Retry-After"] == "5")
            #expect(reply["Connection"] == "close")
            #expect(reply.text.contains(#""code":"tooManyConnections""#))
            #expect(try refused.isClosedByPeer())
            let other = try server.client(from: "127.0.0.3")
            other.request()
            #expect(try other.head().status == 200)
            withExtendedLifetime(holders) {}
        }

        @Test func clientNotReadingItsResponseIsEvicted() throws {
            let bytes = [UInt8](repeating: 1, count: 20_000_000)
            let server = try Self.server(connections: 2) {
                $0.limits.idleTimeout = .seconds(600)
            } handler: { request in
                request.target == "/large" ? HTTPResponse(status: 200, body: .bytes(bytes)) : .text("small")
            }
            let holders = try (0..<2).map { _ in
                let holder = try server.client()
                holder.request("GET", "/large")
                _ = try holder.head()
                return holder
            }
            // The server refuses requests while the system still takes bytes for both holders.
            var status = 503
            while status == 503 {
                try Task.checkCancellation()
                let client = try server.client()
                client.request()
                status = try client.reply().status
            }
            #expect(status == 200)
            withExtendedLifetime(holders) {}
        }

        @Test func unixSocketClientsHaveNoPerAddressLimit() throws {
            let folder = try TestFolder()
            let server = try Self.server(.unix(path: folder.path("s")), connections: 4) {
                $0.limits.connectionsPerAddress = 1
            }
            let clients = try (0..<4).map { _ in try server.client() }
            for client in clients { client.request() }
            for client in clients { #expect(try client.reply().status == 200) }
        }

        @Test func serverAnswersDuringAConnectionFlood() throws {
            let server = try Self.server(connections: 16) { $0.probeInterval = .milliseconds(20) }
            let address = server.address
            let isOver = Locked(false)
            let crowd = DispatchGroup()
            for number in 0..<4 {
                DispatchQueue.global().async(group: crowd) {
                    var held: [TestClient] = []
                    while !isOver.withLock({ $0 }) {
                        guard let client = try? TestClient(address, from: "127.0.0.\(number + 2)") else { continue }
                        client.send("GET / HTTP/1.1\r\nX: ")
                        if number == 0 { client.finishSending() }
                        held.append(client)
                        if held.count > 30 { held.removeFirst() }
                    }
                }
            }
            for _ in 0..<50 {
                // Under a flood, a connection may be evicted before its request has arrived. The client then connects
                // again.
                var status: Int?
                while status != 200, !Task.isCancelled {
                    let client = try server.client(from: "127.0.0.9")
                    client.request()
                    status = try? client.reply().status
                }
                #expect(status == 200)
            }
            isOver.withLock { $0 = true }
            crowd.wait()
        }

        static func server(
            _ address: ListenAddress = .tcp(host: "127.0.0.1", port: 0), connections: Int,
            adjust: (inout ServerConfiguration) -> Void = { _ in },
            handler: @escaping RequestHandler = TestServer.echo
        ) throws -> TestServer {
            try TestServer(
                address,
                adjust: {
                    $0.limits = ServerLimits(
                        connections: connections, connectionsPerAddress: connections, reservedConnections: 0,
                        headerDeadline: .seconds(120), bodyDeadline: .seconds(120), idleTimeout: .seconds(120))
                    adjust(&$0)
                }, handler: handler)
        }
    }
}
