import Foundation
import LifetimeTracer
import LifetimeTracerFoundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(20))) struct RequestTests {
    private let registry = LifetimeRegistry()
    private let session = URLSession(configuration: .patient)

    @Test func theTokenIsInForceUntilTheResponseHasCome() async throws {
        let server = try TinyServer()
        let owner = registry.withCurrent { Owner() }
        let done = Signal()
        let outcome = Locked(Answer())
        let inForceInHandler = Locked<Bool?>(nil)
        let registry = registry
        let token = session.startDataTask(
            with: URLRequest(url: server.url("/held")), owner: owner
        ) { data, response, _ in
            outcome.withLock { outcome in
                outcome.status = (response as? HTTPURLResponse)?.statusCode
                outcome.text = data.map { String(decoding: $0, as: UTF8.self) }
            }
            inForceInHandler.withLock { $0 = (registry.counts(of: server.event("/held"))?.inForce ?? 0) > 0 }
            done.fire()
        }
        await server.requested.wait()
        let record = registry.tokens(of: server.event("/held")).first
        #expect(record?.kind == .request)
        #expect(record?.owner?.id == owner.lifetimeID)
        #expect(token.isInForce)
        server.answer()
        await done.wait()
        #expect(outcome.withLock { $0.status } == 200)
        #expect(outcome.withLock { $0.text } == "hello")
        #expect(inForceInHandler.withLock { $0 } == false)
        #expect(!token.isInForce)
        #expect(registry.counts(of: server.event("/held"))?.deliveries == 1)
        #expect(registry.counts(of: server.event("/held"))?.removed == 1)
    }

    @Test func tokenRemovalCancelsTheRequestAndItsConnection() async throws {
        let server = try TinyServer()
        let done = Signal()
        let code = Locked<URLError.Code?>(nil)
        let token = session.startDataTask(
            with: URLRequest(url: server.url("/hold")), event: "hold", registry: registry
        ) { _, _, error in
            code.withLock { $0 = (error as? URLError)?.code }
            done.fire()
        }
        await server.requested.wait()
        token.remove()
        await done.wait()
        await server.hungUp.wait()
        #expect(code.withLock { $0 } == .cancelled)
        #expect(registry.counts(of: "hold")?.deliveries == 0)
        #expect(registry.counts(of: "hold")?.removed == 1)
    }

    @Test func deallocatedBagCancelsItsRequests() async throws {
        let server = try TinyServer()
        let done = Signal()
        var bag: RegistrationBag? = RegistrationBag()
        if let bag {
            session.startDataTask(
                with: URLRequest(url: server.url("/hold")), event: "bagged", registry: registry
            ) { _, _, _ in done.fire() }
            .store(in: bag)
        }
        await server.requested.wait()
        #expect(registry.counts(of: "bagged")?.inForce == 1)
        bag = nil
        #expect(registry.counts(of: "bagged")?.inForce == 0)
        await done.wait()
        await server.hungUp.wait()
    }

    @Test func keptRequestContinuesWhenItsTokenIsReleased() async throws {
        let server = try TinyServer()
        let done = Signal()
        session.startDataTask(
            with: URLRequest(url: server.url("/held")), event: "kept", registry: registry
        ) { _, _, _ in done.fire() }.keep()
        await server.requested.wait()
        #expect(registry.counts(of: "kept")?.inForce == 1)
        server.answer()
        await done.wait()
        #expect(registry.counts(of: "kept")?.deliveries == 1)
        #expect(registry.counts(of: "kept")?.inForce == 0)
    }

    @Test func releasedTokenCancelsItsRequest() async throws {
        let server = try TinyServer()
        let done = Signal()
        var token: ObserverToken? = session.startDataTask(
            with: URLRequest(url: server.url("/hold")), event: "released", registry: registry
        ) { _, _, _ in done.fire() }
        await server.requested.wait()
        #expect(token?.isInForce == true)
        token = nil
        await done.wait()
        await server.hungUp.wait()
        #expect(registry.counts(of: "released")?.deliveries == 0)
        #expect(registry.counts(of: "released")?.removed == 1)
    }

    @Test func handlerCapturesAreFreedWithTheRequest() async throws {
        let server = try TinyServer()
        let gone = Signal()
        do {
            let captured = DeathSignal(gone)
            session.startDataTask(
                with: URLRequest(url: server.url("/held")), event: "captured", registry: registry
            ) { _, _, _ in withExtendedLifetime(captured) {} }.keep()
        }
        await server.requested.wait()
        #expect(!gone.hasHappened)
        server.answer()
        await gone.wait()
    }

    @Test func theAsyncFormReturnsTheData() async throws {
        let server = try TinyServer()
        server.answer()
        let (data, response) = try await registry.withCurrent {
            try await session.tracedData(for: URLRequest(url: server.url("/held")), event: "async")
        }
        #expect(String(decoding: data, as: UTF8.self) == "hello")
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        #expect(registry.counts(of: "async")?.registered == 1)
        #expect(registry.counts(of: "async")?.inForce == 0)
    }

    @Test func cancellingTheTaskCancelsItsRequest() async throws {
        let server = try TinyServer()
        let request = URLRequest(url: server.url("/hold"))
        let task = Task { [session, registry] in
            try await session.tracedData(for: request, event: "cancelled", registry: registry)
        }
        await server.requested.wait()
        task.cancel()
        await #expect(throws: URLError.self) { try await task.value }
        await server.hungUp.wait()
        #expect(registry.counts(of: "cancelled")?.removed == 1)
    }

    @Test func taskCancelledBeforeItsStartLeavesNoRequestInForce() async throws {
        let server = try TinyServer()
        let request = URLRequest(url: server.url("/hold"))
        let mayStart = Signal()
        let task = Task { [session, registry] in
            await mayStart.wait()
            return try await session.tracedData(for: request, event: "early", registry: registry)
        }
        task.cancel()
        mayStart.fire()
        await #expect(throws: URLError.self) { try await task.value }
        #expect(registry.counts(of: "early")?.inForce == 0)
    }
}

private struct Answer: LockedState {
    var status: Int?
    var text: String?
}

extension URLError.Code: LockedState {}

extension URLSessionConfiguration {
    /// A configuration with a long timeout: other tests may keep a test from answering its own request for more than a
    /// minute.
    fileprivate static var patient: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 86_400
        return configuration
    }
}

/// Signals its own death.
private final class DeathSignal: Sendable {
    private let signal: Signal

    init(_ signal: Signal) {
        self.signal = signal
    }

    deinit {
        signal.fire()
    }
}
