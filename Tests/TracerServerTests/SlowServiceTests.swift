import Foundation
import LifetimeTracer
import LifetimeTracerDashboard
import Testing

@testable import tracer_server

extension StreamEnd: LockedState {}

@Suite struct SlowAnswerTests {
    @Test func slowAnswerArrivesAfterItsDelay() async {
        let ends = Locked<[StreamEnd]>([])
        let answer = SlowAnswer(after: .milliseconds(1)) { _, end in ends.withLock { $0.append(end) } }
        let (woken, continuation) = AsyncStream.makeStream(of: Void.self)
        answer.start { continuation.yield() }
        var iterator = woken.makeAsyncIterator()
        await iterator.next()
        #expect(answer.read() == .bytes(Array("done\n".utf8)))
        #expect(answer.read() == .end)
        answer.closed(.completed)
        #expect(ends.withLock { $0 } == [.completed])
    }

    @Test func slowAnswerWithoutDelayWaitsForFinish() {
        let woken = Locked(0)
        let answer = SlowAnswer(after: nil) { _, _ in }
        answer.start { woken.withLock { $0 += 1 } }
        #expect(answer.read() == .wait)
        answer.finish()
        #expect(woken.withLock { $0 } == 1)
        #expect(answer.read() == .bytes(Array("done\n".utf8)))
    }
}

@Suite struct SlowServiceTests {
    private let service = SlowService()

    /// The response of one of the service's routes, as the server would receive it.
    private func answer(_ target: String) throws -> any ResponseStream {
        let dashboard = Dashboard(registry: LifetimeRegistry(), routes: service.routes)
        let response = dashboard.respond(
            to: HTTPRequest(method: "GET", target: target, headers: [.init("Host", "localhost")]))
        #expect(response.status == 200)
        guard case .stream(let stream) = response.body else { throw NotInTime(description: "no stream") }
        stream.start {}
        return stream
    }

    @Test func ticketStateDistinguishesCancelledFromAnswered() throws {
        let (first, second, third) = (service.ticket(), service.ticket(), service.ticket())
        let left = try answer("/demo/never?ticket=\(first.number)")
        let stayed = try answer("/demo/slow?seconds=30&ticket=\(second.number)")
        #expect(service.state(of: first) == .waiting && service.state(of: third) == nil)
        left.closed(.disconnected)
        stayed.closed(.completed)
        #expect(service.state(of: first) == .cancelled && service.state(of: second) == .answered)
    }

    @Test func oldestWaitingRequestIsAnsweredOverTheLimit() throws {
        let answers = try (0...SlowService.waitingLimit).map { _ in try answer("/demo/never") }
        #expect(answers[0].read() == .bytes(Array("done\n".utf8)))
        #expect(answers.dropFirst().allSatisfy { $0.read() == .wait })
    }

    @Test(arguments: ["/demo/slow", "/demo/slow?seconds=-1", "/demo/slow?seconds=31", "/demo/never?seconds=1"])
    func badParametersAreRefused(_ target: String) {
        let dashboard = Dashboard(registry: LifetimeRegistry(), routes: service.routes)
        let request = HTTPRequest(method: "GET", target: target, headers: [.init("Host", "localhost")])
        #expect(dashboard.respond(to: request).status == 400)
    }
}
