import Dispatch
import LifetimeTracer
import LifetimeTracerDashboard
import Testing

@testable import LifetimeTracerServer

extension ServerTests {
    /// Requests that are too large, too slow or too many.
    @Suite struct LimitTests {
        @Test func oversizedContentLengthIsRefused() throws {
            let server = try TestServer(handler: Self.mustNotBeCalled)
            let client = try server.client()
            client.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 65537\r\n\r\n")
            let reply = try client.reply()
            #expect(reply.status == 413)
            #expect(reply["Content-Type"]?.hasPrefix("application/json") == true)
            #expect(
                reply.text == #"{"error":{"code":"bodyTooLarge","message":"The body is larger than 65536 bytes.","#
                    + #""hint":"Send at most 65536 bytes."}}"#)
            #expect(try client.isClosedByPeer())
        }

        @Test func bodyAtTheLimitIsAccepted() throws {
            let server = try TestServer()
            let client = try server.client()
            client.request("POST", "/", body: String(repeating: "x", count: 65_536))
            #expect(try client.reply().status == 200)
            client.send("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n10000\r\n")
            client.send(String(repeating: "x", count: 65_536) + "\r\n0\r\n\r\n")
            #expect(try client.reply().status == 200)
        }

        @Test func oversizedExpectContinueIsRefusedBeforeTheBody() throws {
            let server = try TestServer(handler: Self.mustNotBeCalled)
            let client = try server.client()
            client.send(
                "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\nExpect: 100-continue\r\n\r\n")
            #expect(try client.reply().status == 413)
        }

        @Test func absurdContentLengthIsRefused() throws {
            let server = try TestServer(handler: Self.mustNotBeCalled)
            for length in ["9223372036854775808", "18446744073709551615", "99999999999999999999999"] {
                let client = try server.client()
                client.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(length)\r\n\r\n")
                #expect(try client.reply().status == 413, "\(length)")
            }
        }

        @Test func oversizedChunkedBodyIsRefused() throws {
            let server = try TestServer(handler: Self.mustNotBeCalled)
            let client = try server.client()
            client.send("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in 0..<9 { client.send("2000\r\n" + String(repeating: "x", count: 0x2000) + "\r\n") }
            client.send("0\r\n\r\n")
            let reply = try client.reply()
            #expect(reply.status == 413)
            #expect(reply.text.contains(#""code":"bodyTooLarge""#))
        }

        @Test func endlessChunkedBodyIsCut() throws {
            let server = try TestServer(handler: Self.mustNotBeCalled)
            let client = try server.client()
            client.send("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = "10000\r\n" + String(repeating: "x", count: 0x10000) + "\r\n"
            var sent = 0
            while sent < 1000, client.send(chunk) { sent += 1 }
            #expect(sent < 1000, "the connection is cut while the body is still coming")
            #expect(try client.isClosedByPeer())
        }

        @Test func targetOverTheLimitIsRefused() throws {
            let server = try TestServer()
            let client = try server.client()
            client.request("GET", "/" + String(repeating: "a", count: 8191))
            #expect(try client.reply().status == 200)
            client.request("GET", "/" + String(repeating: "a", count: 8192))
            let reply = try client.reply()
            #expect(reply.status == 414)
            #expect(reply.text.contains(#""code":"targetTooLong""#))
            #expect(reply.text.contains("8193"))
            #expect(try client.isClosedByPeer())
        }

        @Test func targetFarOverTheLimitIsRefused() throws {
            let server = try TestServer(handler: Self.mustNotBeCalled)
            let client = try server.client()
            client.request("GET", "/" + String(repeating: "a", count: 200_000))
            #expect(try client.reply().status == 414)
        }

        @Test func headersOverTheLimitAreRefused() throws {
            let server = try TestServer()
            let client = try server.client()
            client.request("GET", "/", headers: "X-Long: " + String(repeating: "a", count: 16_000) + "\r\n")
            #expect(try client.reply().status == 200)
            client.request("GET", "/", headers: "X-Long: " + String(repeating: "a", count: 17_000) + "\r\n")
            let reply = try client.reply()
            #expect(reply.status == 431)
            #expect(reply.text.contains(#""code":"headersTooLarge""#))
            #expect(try client.isClosedByPeer())
        }

        @Test func largestRequestPasses() throws {
            let server = try TestServer()
            let client = try server.client()
            let field = "X-Long: " + String(repeating: "a", count: 1500) + "\r\n"
            client.request(
                "POST", "/" + String(repeating: "a", count: 8000), headers: String(repeating: field, count: 10),
                body: "b")
            #expect(try client.reply().status == 200)
        }

        @Test func headersFarOverTheLimitAreRefused() throws {
            let server = try TestServer(handler: Self.mustNotBeCalled)
            for headers in [
                "X-Long: " + String(repeating: "a", count: 500_000) + "\r\n",
                String(repeating: "a: b\r\n", count: 20_000),
            ] {
                let client = try server.client()
                client.request("GET", "/", headers: headers)
                #expect(try client.reply().status == 431)
            }
        }

        @Test func manyQueryParametersAreAccepted() throws {
            let server = try TestServer()
            let client = try server.client()
            client.request("GET", "/?" + String(repeating: "a&", count: 4000))
            #expect(try client.reply().status == 200)
        }

        @Test func tooManyCookiesAreRefused() throws {
            let server = try TestServer()
            let client = try server.client()
            client.request("GET", "/", headers: "Cookie: " + String(repeating: "a=b;", count: 3500) + "\r\n")
            #expect(try client.reply().status == 431)
        }

        @Test func idleConnectionWithPartialRequestIsCut() throws {
            let server = try TestServer(adjust: { $0.limits.idleTimeout = .seconds(1) })
            let client = try server.client()
            client.send("GET / HTTP/1.1\r\nHost: loc")
            #expect(try client.isClosedByPeer())
        }

        @Test(arguments: [
            "GET / HTTP/1.1\r\nX-Drip: ", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\n", "GET /",
        ])
        func slowlyDrippedRequestIsCutAtTheDeadline(start: String) throws {
            let server = try TestServer(
                adjust: {
                    $0.limits.headerDeadline = .milliseconds(1500)
                    $0.limits.bodyDeadline = .milliseconds(1500)
                }, handler: Self.mustNotBeCalled)
            let client = try server.client()
            client.send(start)
            // A byte every 100 ms keeps the connection from being idle.
            let begin = DispatchTime.now()
            var bytes = 0
            while bytes < 600, client.send("x"), !client.isClosed(within: 100) { bytes += 1 }
            // On a busy machine, fewer bytes are sent in that time, and a pause may exceed another limit.
            #expect(DispatchTime.now() >= begin + 0.9, "cut by the deadline, not at once")
            #expect(bytes < 600, "cut by the deadline, not never")
        }

        @Test(arguments: ["Content-Length: 5000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n1000\r\n"])
        func slowlyDrippedBodyIsCutAtItsOwnDeadline(end: String) throws {
            let server = try TestServer(
                adjust: { $0.limits.bodyDeadline = .milliseconds(500) }, handler: Self.mustNotBeCalled)
            let client = try server.client()
            client.send("POST / HTTP/1.1\r\nHost: localhost\r\n\(end)")
            var bytes = 0
            while bytes < 600, client.send("x"), !client.isClosed(within: 100) { bytes += 1 }
            #expect(bytes < 600, "the deadline of the header has not passed")
        }

        @Test func deadlineStartsAgainWithEachRequest() throws {
            let server = try TestServer(adjust: {
                $0.limits.idleTimeout = .seconds(3)
                $0.limits.headerDeadline = .seconds(3)
            })
            // The server may cut a client whose thread was not scheduled for a while. Such an attempt is repeated.
            for _ in 0..<100 {
                let client = try server.client()
                let begin = DispatchTime.now()
                var last = begin
                while last < begin + 6.5, DispatchTime.now() < last + 1 {
                    last = .now()
                    client.request()
                    guard (try? client.reply().status) == 200, !client.isClosed(within: 300) else { break }
                }
                if last >= begin + 6.5 { return }
                try #require(DispatchTime.now() >= last + 1, "cut before any deadline")
            }
            Issue.record("in no attempt the thread of the client ran without a pause of a second")
        }

        static let mustNotBeCalled: RequestHandler = { request in
            Issue.record("the handler was asked for \(request.target.prefix(40))")
            return HTTPResponse(status: 200)
        }
    }
}
