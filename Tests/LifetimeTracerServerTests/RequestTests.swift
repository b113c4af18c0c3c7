import LifetimeTracer
import LifetimeTracerDashboard
import Testing

@testable import LifetimeTracerServer

extension ServerTests {
    /// Requests as the handler receives them, and responses as the client receives them.
    @Suite struct RequestTests {
        @Test func connectionStaysOpenBetweenRequests() throws {
            let server = try TestServer()
            let client = try server.client()
            for target in ["/first", "/second", "/third?x=1"] {
                client.request("GET", target)
                let reply = try client.reply()
                #expect(reply.status == 200)
                #expect(reply.text.hasPrefix("GET \(target)\n"))
                #expect(reply["Connection"] == nil)
            }
        }

        @Test func pipelinedRequestsAreAnsweredInOrder() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send(
                (1...20).map { "POST /\($0) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nab" }.joined())
            for number in 1...20 {
                let reply = try client.reply()
                #expect(reply.text.hasPrefix("POST /\(number)\n"))
                #expect(reply.text.hasSuffix("\n\nab"))
            }
        }

        @Test func headersArriveInOrder() throws {
            let server = try TestServer()
            let client = try server.client()
            client.request("GET", "/", headers: "X-B: 1\r\nX-A: two words\r\nX-B: 3\r\nX-Empty:\r\nX-Raw: \u{E9}\r\n")
            let text = try client.reply().text
            #expect(
                text == "GET /\nHost: localhost\nX-B: 1\nX-A: two words\nX-B: 3\nX-Empty: \nX-Raw: \u{E9}\n\n")
        }

        @Test(arguments: [
            "/%00secret", "/a%00b?c=%00d", "/../../etc/passwd", "/%2e%2e/%2E%2E/x", "//double//", "/a?b=c%26d&e=+%20",
            "/sp%20ace", "*", "http://elsewhere/x", "/\u{E9}", "/?", "/?=&&==",
        ])
        func targetArrivesRaw(target: String) throws {
            let server = try TestServer()
            let client = try server.client()
            client.request("GET", target)
            #expect(try client.reply().text.hasPrefix("GET \(target)\n"))
        }

        @Test func requestWithoutHostReachesTheHandler() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send("GET /a HTTP/1.1\r\n\r\n")
            #expect(try client.reply().text == "GET /a\n\n")
        }

        @Test func bodyWithContentLengthArrivesWhole() throws {
            let server = try TestServer()
            let client = try server.client()
            let body = String(repeating: "0123456789abcdef", count: 4096)
            client.request("POST", "/", body: body)
            #expect(try client.reply().text.hasSuffix("\n\n" + body))
        }

        @Test func chunkedBodyArrivesWhole() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
            var body = ""
            for size in [1, 10, 100, 1000, 10_000] {
                let part = String(repeating: "\(size % 7)", count: size)
                body += part
                client.send(String(size, radix: 16) + "\r\n" + part + "\r\n")
            }
            client.send("0\r\n\r\n")
            #expect(try client.reply().text.hasSuffix("\n\n" + body))
            client.request("GET", "/again")
            #expect(try client.reply().status == 200, "the connection goes on behind the body")
        }

        @Test func expectContinueReceives100Continue() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
            #expect(try client.head().status == 100)
            client.send("body")
            #expect(try client.reply().text.hasSuffix("\n\nbody"))
        }

        @Test func headResponseHasNoBody() throws {
            let stream = ScriptedStream(.text("never"))
            let page: [UInt8] = Array("page".utf8)
            let server = try TestServer { request in
                switch request.target {
                case "/bytes": HTTPResponse(status: 200, body: .bytes(page))
                case "/immortal": HTTPResponse(status: 200, body: .immortal(Self.immortal))
                default: HTTPResponse(status: 200, body: .stream(stream))
                }
            }
            let client = try server.client()
            for (target, length) in [("/bytes", "4"), ("/immortal", "8"), ("/stream", nil)] {
                client.request("HEAD", target)
                let reply = try client.reply(to: "HEAD")
                #expect(reply.status == 200)
                #expect(reply["Content-Length"] == length)
                #expect(reply["Transfer-Encoding"] == nil)
            }
            #expect(stream.waitForEnd() == .completed)
            #expect(stream.starts == 0, "a stream of which only the head is asked for never starts")
            #expect(try client.rest().isEmpty, "not a byte of a body comes")
        }

        @Test func immortalBytesAndEmptyBodiesAreSent() throws {
            let server = try TestServer { request in
                switch request.target {
                case "/immortal": HTTPResponse(status: 200, body: .immortal(Self.immortal))
                case "/nothing": HTTPResponse(status: 204)
                default: HTTPResponse(status: 200)
                }
            }
            let client = try server.client()
            client.request("GET", "/immortal")
            #expect(try client.reply().text == "immortal")
            client.request("GET", "/nothing")
            #expect(try client.reply().status == 204)
            client.request("GET", "/empty")
            #expect(try client.reply()["Content-Length"] == "0")
        }

        @Test func largeAnswerArrivesWhole() throws {
            let bytes = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let server = try TestServer { _ in HTTPResponse(status: 200, body: .bytes(bytes)) }
            let client = try server.client()
            client.request()
            #expect(try client.reply().body == bytes)
        }

        @Test(arguments: [
            ("X-Test", "a\r\nSet-Cookie: stolen=1"), ("X-Test", "a\nb"), ("X-Test", "a\rb"), ("X-Test", "a\0b"),
            ("X-Test", ""), ("X Test", "a"), ("X-Test: b\r\nX-Other", "a"), ("", "a"), ("Content-Length", "1"),
            ("connection", "upgrade"), ("Transfer-Encoding", "chunked"),
        ])
        func noHeaderIsInjected(name: String, value: String) throws {
            let server = try TestServer { _ in .text("hello", .init("X-Before", "1"), .init(name, value)) }
            let client = try server.client()
            client.request("GET", "/target")
            let reply = try client.reply()
            #expect(reply.status == 500)
            #expect(reply.text.contains(#""code":"internalError""#))
            #expect(!reply.head.contains("stolen"))
            #expect(reply["X-Before"] == nil, "nothing of the bad answer gets out")
            #expect(server.faults.count == 1)
            #expect(server.faults.first?.contains("/target") == true)
        }

        @Test(arguments: [0, -1, 99, 101, 1000], ["", "a body"])
        func impossibleStatusBecomesStatus500(status: Int, body: String) throws {
            let server = try TestServer { _ in HTTPResponse(status: status, body: .bytes(Array(body.utf8))) }
            let client = try server.client()
            client.request()
            #expect(try client.reply().status == 500)
            #expect(server.faults.first?.contains("\(status)") == true)
        }

        @Test func requestReportsItsTransport() throws {
            let seen = Locked([HTTPRequest.Transport]())
            let handler: RequestHandler = { request in
                seen.withLock { $0.append(request.transport) }
                return HTTPResponse(status: 200)
            }
            let folder = try TestFolder()
            for address in [ListenAddress.tcp(host: "127.0.0.1", port: 0), .unix(path: folder.path("t"))] {
                let server = try TestServer(address, handler: handler)
                let client = try server.client()
                client.request()
                #expect(try client.reply().status == 200)
            }
            #expect(seen.withLock { $0 } == [.tcp, .unixSocket])
        }

        /// Bytes that are never freed.
        static let immortal: ImmortalBytes = {
            let text = Array("immortal".utf8)
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 1)
            buffer.copyBytes(from: text)
            return ImmortalBytes(UnsafeRawBufferPointer(buffer))
        }()
    }
}

extension HTTPRequest.Transport: LockedState {}
