import Dispatch
import LifetimeTracer
import LifetimeTracerDashboard
import Patience
import Testing

@testable import LifetimeTracerServer

extension ServerTests {
    /// Answers that take long, which are made on another thread.
    @Suite struct LongAnswerTests {
        /// A handler whose answers to `/long…` are made when the test says so.
        private final class Bakery: Sendable {
            private let begun = DispatchSemaphore(value: 0)
            private let mayEnd = DispatchSemaphore(value: 0)

            func server() throws -> TestServer {
                let handler: RequestHandler = { [begun, mayEnd] request in
                    if request.target.hasPrefix("/long") {
                        begun.signal()
                        guard mayEnd.wait(timeout: .now() + .seconds(Patience.seconds)) == .success else {
                            return .text("too late", status: 500)
                        }
                    }
                    return .text(request.target)
                }
                return try TestServer(
                    adjust: { _ in }, takesLong: { $0.target.hasPrefix("/long") }, handler: handler)
            }

            func waitForBeginning() -> Bool {
                begun.wait(timeout: .now() + .seconds(Patience.seconds)) == .success
            }

            func letOneEnd() { mayEnd.signal() }
        }

        @Test func othersAreAnsweredMeanwhile() throws {
            let bakery = Bakery()
            let server = try bakery.server()
            let (patient, other) = (try server.client(), try server.client())
            patient.request("GET", "/long")
            #expect(bakery.waitForBeginning())
            for _ in 0..<3 {
                other.request("GET", "/short")
                #expect(try other.reply().text == "/short")
            }
            bakery.letOneEnd()
            let reply = try patient.reply()
            #expect(reply.status == 200 && reply.text == "/long")
            patient.request("GET", "/short")
            #expect(try patient.reply().text == "/short", "the connection goes on")
        }

        @Test func requestsOfAConnectionAreAnsweredInOrder() throws {
            let bakery = Bakery()
            let server = try bakery.server()
            let client = try server.client()
            for target in ["/long-1", "/short", "/long-2", "/long-3"] { client.request("GET", target) }
            for _ in 0..<3 { bakery.letOneEnd() }
            for target in ["/long-1", "/short", "/long-2", "/long-3"] {
                #expect(try client.reply().text == target)
            }
        }

        @Test func aClientMayLeaveBeforeItsAnswer() throws {
            let bakery = Bakery()
            let server = try bakery.server()
            let (leaving, other) = (try server.client(), try server.client())
            leaving.request("GET", "/long-1")
            #expect(bakery.waitForBeginning())
            leaving.disconnect()
            bakery.letOneEnd()
            other.request("GET", "/long-2")
            #expect(bakery.waitForBeginning())
            bakery.letOneEnd()
            #expect(try other.reply().text == "/long-2")
        }

        @Test func stoppingWaitsForAnAnswer() throws {
            let bakery = Bakery()
            let server = try bakery.server()
            let client = try server.client()
            client.request("GET", "/long")
            #expect(bakery.waitForBeginning())
            let stopped = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                server.server.stop()
                stopped.signal()
            }
            bakery.letOneEnd()
            #expect(stopped.wait(timeout: .now() + .seconds(Patience.seconds)) == .success)
            #expect(server.server.address == nil && server.faults.isEmpty)
        }
    }
}
