import Dispatch
import LifetimeTracer
import LifetimeTracerDashboard
import Patience
import Testing

@testable import LifetimeTracerServer

extension ServerTests {
    /// Streamed bodies.
    @Suite struct StreamTests {
        @Test func streamCompletesAndKeepsTheConnection() throws {
            let stream = ScriptedStream(.text("one,"), .text("two"), .end)
            let server = try TestServer(handler: Self.answer(with: stream))
            let client = try server.client()
            client.request("GET", "/events")
            let reply = try client.reply()
            #expect(reply.status == 200)
            #expect(reply["Content-Type"] == "text/event-stream")
            #expect(reply["Transfer-Encoding"] == "chunked")
            #expect(reply["Content-Length"] == nil)
            #expect(reply.text == "one,two")
            #expect(stream.waitForEnd() == .completed)
            client.request("GET", "/other")
            #expect(try client.reply().text == "other", "the connection goes on behind a stream that ended in order")
            #expect(stream.ends == [.completed])
            #expect(stream.starts == 1)
            #expect(stream.readsAfterEnd == 0)
        }

        @Test func headersAreSentBeforeTheFirstBodyByte() throws {
            let stream = ScriptedStream()
            let server = try TestServer(handler: Self.answer(with: stream))
            let client = try server.client()
            client.request("GET", "/events")
            #expect(try client.head().status == 200)
            #expect(stream.waitUntilReadReturnsWait())
            stream.push(.text("late"))
            #expect(try client.chunk() == Array("late".utf8))
        }

        @Test func pushedBytesArriveOneByOne() throws {
            let stream = ScriptedStream()
            let server = try TestServer(handler: Self.answer(with: stream))
            let client = try server.client()
            client.request("GET", "/events")
            _ = try client.head()
            for number in 1...200 {
                stream.push(.text("\(number)"))
                #expect(try client.chunk() == Array("\(number)".utf8))
                if number.isMultiple(of: 3) { stream.wakeWithoutChunk() }
            }
            stream.push(.end)
            #expect(try client.chunk() == nil)
            #expect(stream.waitForEnd() == .completed)
        }

        @Test func noWakeUpIsLost() throws {
            let stream = ScriptedStream()
            let server = try TestServer(handler: Self.answer(with: stream))
            let client = try server.client()
            client.request("GET", "/events")
            _ = try client.head()
            // Four threads wake the server as fast as they can while it suspends and resumes the connection.
            let count = 20_000
            DispatchQueue.global().async {
                DispatchQueue.concurrentPerform(iterations: 4) { _ in
                    for _ in 0..<(count / 4) { stream.push(.bytes([1])) }
                }
                stream.push(.end)
            }
            var received = 0
            while let chunk = try client.chunk() { received += chunk.count }
            #expect(received == count)
            #expect(stream.waitForEnd() == .completed)
        }

        @Test func largeChunkArrivesWhole() throws {
            let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 17) }
            let stream = ScriptedStream(.bytes(bytes), .end)
            let server = try TestServer(handler: Self.answer(with: stream))
            let client = try server.client()
            client.request("GET", "/events")
            #expect(try client.reply().body == bytes)
        }

        @Test func http10ClientReadsUntilTheConnectionCloses() throws {
            let stream = ScriptedStream(.text("one,"), .text("two"), .end)
            let server = try TestServer(handler: Self.answer(with: stream))
            let client = try server.client()
            client.send("GET /events HTTP/1.0\r\n\r\n")
            let reply = try client.reply()
            #expect(reply["Transfer-Encoding"] == nil)
            #expect(reply.text == "one,two")
            #expect(stream.waitForEnd() == .completed)
        }

        @Test func emptyChunkDoesNotEndTheStream() throws {
            let stream = ScriptedStream(.bytes([]), .text("x"), .bytes([]), .end)
            let server = try TestServer(handler: Self.answer(with: stream))
            let client = try server.client()
            client.request("GET", "/events")
            #expect(try client.reply().text == "x")
        }

        @Test func disconnectIsDetectedWhileNothingIsSent() throws {
            let stream = ScriptedStream()
            let server = try TestServer(
                adjust: { $0.probeInterval = .milliseconds(20) }, handler: Self.answer(with: stream))
            let client = try server.client()
            client.request("GET", "/events")
            _ = try client.head()
            #expect(stream.waitUntilReadReturnsWait())
            client.disconnect()
            #expect(stream.waitForEnd() == .disconnected)
            #expect(stream.ends == [.disconnected])
            stream.wakeWithoutChunk()
        }

        @Test func disconnectIsDetectedBehindUnreadBytes() throws {
            let stream = ScriptedStream()
            let server = try TestServer(
                adjust: { $0.probeInterval = .milliseconds(20) }, handler: Self.answer(with: stream))
            let client = try server.client()
            client.request("GET", "/events")
            _ = try client.head()
            #expect(stream.waitUntilReadReturnsWait())
            client.request("GET", "/next")
            client.finishSending()
            #expect(stream.waitForEnd() == .disconnected)
        }

        @Test func disconnectIsDetectedWhileBytesAreSent() throws {
            let stream = ScriptedStream()
            let server = try TestServer(handler: Self.answer(with: stream))
            let client = try server.client()
            client.request("GET", "/events")
            _ = try client.head()
            client.disconnect()
            for _ in 0..<100 where stream.ends.isEmpty { stream.push(.bytes([UInt8](repeating: 1, count: 10_000))) }
            #expect(stream.waitForEnd() == .disconnected)
        }

        @Test func clientThatDoesNotReadIsDropped() throws {
            let stream = ScriptedStream(.bytes([UInt8](repeating: 1, count: 20_000_000)))
            let server = try TestServer(
                adjust: { $0.limits.idleTimeout = .seconds(1) }, handler: Self.answer(with: stream))
            let client = try server.client()
            client.request("GET", "/events")
            #expect(stream.waitForEnd() == .disconnected)
        }

        @Test func idleStreamOutlivesTimeoutAndDeadline() throws {
            let stream = ScriptedStream()
            let server = try TestServer(
                adjust: {
                    $0.limits.idleTimeout = .seconds(1)
                    $0.limits.headerDeadline = .seconds(1)
                    $0.probeInterval = .milliseconds(100)
                }, handler: Self.answer(with: stream))
            let client = try server.client()
            client.request("GET", "/events")
            _ = try client.head()
            #expect(stream.waitUntilReadReturnsWait())
            #expect(!client.isClosed(within: 2500))
            stream.push(.text("still here"))
            #expect(try client.chunk() == Array("still here".utf8))
        }

        @Test func serverStopEndsStreamsCleanly() throws {
            let streams = (0..<10).map { _ in ScriptedStream(.text("hello")) }
            let next = Locked(0)
            let server = try TestServer { _ in
                let stream = next.withLock { number in
                    defer { number += 1 }
                    return streams[number]
                }
                return HTTPResponse(status: 200, body: .stream(stream))
            }
            let clients = try streams.map { stream in
                let client = try server.client()
                client.request()
                _ = try client.head()
                #expect(try client.chunk() == Array("hello".utf8))
                #expect(stream.waitUntilReadReturnsWait())
                return client
            }
            server.server.stop()
            for client in clients { #expect(try client.chunk() == nil, "the body has an orderly end") }
            for stream in streams { #expect(stream.ends == [.serverStopped]) }
        }

        @Test func serverStopDoesNotWaitForNonReadingClients() throws {
            let stream = ScriptedStream(.bytes([UInt8](repeating: 1, count: 20_000_000)))
            let server = try TestServer(
                adjust: {
                    // With this idle timeout, a stop that waits for the client would hang.
                    $0.limits.idleTimeout = .seconds(3600)
                    $0.streamGrace = .milliseconds(200)
                }, handler: Self.answer(with: stream))
            let client = try server.client()
            client.request("GET", "/events")
            _ = try client.head()
            let stopped = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                server.server.stop()
                stopped.signal()
            }
            #expect(stopped.wait(timeout: .now() + .seconds(Patience.seconds)) == .success)
            #expect(stream.ends == [.serverStopped])
        }

        @Test func streamOverTheLimitIsRefused() throws {
            let streams = Locked([ScriptedStream]())
            let server = try TestServer(
                adjust: {
                    $0.limits.streams = 3
                    $0.probeInterval = .milliseconds(20)
                },
                handler: { _ in
                    let stream = ScriptedStream()
                    streams.withLock { $0.append(stream) }
                    return HTTPResponse(status: 200, body: .stream(stream))
                })
            let clients = try (0..<3).map { _ in
                let client = try server.client()
                client.request()
                #expect(try client.head().status == 200)
                return client
            }
            let refused = try server.client()
            refused.request()
            let reply = try refused.reply()
            #expect(reply.status == 503)
            #expect(reply["Retry-After"] == "5")
            #expect(reply.text.contains(#""code":"tooManyStreams""#))
            let surplus = try #require(streams.withLock { $0.last })
            #expect(surplus.starts == 0)
            #expect(surplus.ends == [.disconnected], "a stream that is not taken is closed as well")

            clients[0].disconnect()
            #expect(streams.withLock { $0[0] }.waitForEnd() == .disconnected)
            // The place becomes free when the stream is closed, or a moment later.
            var status = 503
            while status == 503 {
                let next = try server.client()
                next.request()
                status = try next.head().status
            }
            #expect(status == 200)
        }

        @Test func streamIsReleasedAfterItsEnd() throws {
            weak var released: ScriptedStream?
            do {
                let stream = ScriptedStream(.text("x"), .end)
                released = stream
                let held = Locked<ScriptedStream?>(stream)
                let server = try TestServer { _ in
                    let stream = held.withLock { held in
                        defer { held = nil }
                        return held
                    }
                    return stream.map { HTTPResponse(status: 200, body: .stream($0)) } ?? HTTPResponse(status: 404)
                }
                let client = try server.client()
                client.request()
                #expect(try client.reply().text == "x")
                server.server.stop()
            }
            #expect(released == nil)
        }

        @Test func invalidStreamHeaderBecomesStatus500() throws {
            let stream = ScriptedStream(.text("x"))
            let server = try TestServer { _ in
                HTTPResponse(status: 200, headers: [.init("X", "a\r\nb: c")], body: .stream(stream))
            }
            let client = try server.client()
            client.request()
            #expect(try client.reply().status == 500)
            #expect(stream.ends == [.disconnected])
            #expect(stream.starts == 0)
        }

        static func answer(with stream: ScriptedStream) -> RequestHandler {
            { request in
                request.target == "/events"
                    ? HTTPResponse(
                        status: 200, headers: [.init("Content-Type", "text/event-stream")], body: .stream(stream))
                    : .text("other")
            }
        }
    }
}
