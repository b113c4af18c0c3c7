import KitTesting
import LifetimeTracer
import LifetimeTracerTestKit
import Testing

/// A server whose request handlers live longer than their requests, as in the guide.
private enum Leaking {
    // guide: ages leaking
    final class RequestHandler: TracedObject {}

    final class ReportServer {
        private var handlers: [RequestHandler] = []

        /// Nothing removes the handler after its answer.
        func accept(_ path: String) { handlers.append(RequestHandler(label: path)) }
    }
    // guide: end
}

private enum Mended {
    final class RequestHandler: TracedObject {}

    final class ReportServer {
        func accept(_ path: String) { withExtendedLifetime(RequestHandler(label: path)) {} }
    }
}

private let wantedLines = [
    "Too old: 1 Leaking.RequestHandler (maximum age 60 s, oldest 61 s).",
    "Expected: no older: clients hang up after a minute.", "• Leaking.RequestHandler #1 \"/report\"",
]
/// Only the running test holds the server, so the path may begin at a stack, which is not certain.
private let wantedPath = ["held by "]

@Suite(.repeatedOnRequest, .reports(wantedLines, path: wantedPath)) struct LeakingAgeGuide {
    private typealias ReportServer = Leaking.ReportServer
    private typealias RequestHandler = Leaking.RequestHandler

    // guide: ages test
    @Test func noHandlerOutlivesItsRequest() {
        let clock = TestClock()
        let registry = LifetimeRegistry(clock: clock.tracer)
        registry.withCurrent {
            let server = ReportServer()
            server.accept("/report")
            clock.advance(by: .seconds(61))
            expectWithinMaximumAges([RequestHandler.self: .seconds(60)], because: "clients hang up after a minute")
            withExtendedLifetime(server) {}
        }
    }
    // guide: end
}

@Suite(.repeatedOnRequest) struct MendedAgeGuide {
    private typealias ReportServer = Mended.ReportServer
    private typealias RequestHandler = Mended.RequestHandler

    @Test func noHandlerOutlivesItsRequest() {
        let clock = TestClock()
        let registry = LifetimeRegistry(clock: clock.tracer)
        registry.withCurrent {
            let server = ReportServer()
            server.accept("/report")
            clock.advance(by: .seconds(61))
            expectWithinMaximumAges([RequestHandler.self: .seconds(60)], because: "clients hang up after a minute")
            withExtendedLifetime(server) {}
        }
    }
}
