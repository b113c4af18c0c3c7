import Dispatch
import LifetimeTracer
import LifetimeTracerDashboard
import Patience

@testable import LifetimeTracerServer

/// A running server on a free port, stopped at the end of the test.
final class TestServer: Sendable {
    let server: HTTPServer
    let address: ListenAddress
    private let events: Locked<[ServerEvent]>
    private let fault = DispatchSemaphore(value: 0)

    init(
        _ address: ListenAddress = .tcp(host: "127.0.0.1", port: 0),
        adjust: (inout ServerConfiguration) -> Void,
        takesLong: @escaping @Sendable (HTTPRequest) -> Bool = { _ in false },
        handler: @escaping RequestHandler = TestServer.echo
    ) throws {
        let events = Locked([ServerEvent]())
        var configuration = ServerConfiguration(address: address) { [fault] event in
            events.withLock { $0.append(event) }
            if case .fault = event { fault.signal() }
        }
        // Far more than a busy machine needs. Tests of a deadline set their own.
        configuration.limits.headerDeadline = .seconds(120)
        configuration.limits.bodyDeadline = .seconds(120)
        configuration.streamGrace = Patience.limit
        adjust(&configuration)
        self.events = events
        server = HTTPServer(
            configuration: configuration, makingHandler: { Answering(takesLong: takesLong, handler) })
        try server.start()
        self.address = try server.address ?? { throw TestClient.Failure(description: "no address") }()
    }

    convenience init(
        _ address: ListenAddress = .tcp(host: "127.0.0.1", port: 0),
        handler: @escaping RequestHandler = TestServer.echo
    ) throws {
        try self.init(address, adjust: { _ in }, handler: handler)
    }

    deinit {
        server.stop()
    }

    /// A loopback address that no other server uses.
    ///
    /// On 127.0.0.1, another test's server may get the port after this server has stopped.
    ///
    /// - Parameter number: A different number for each test, from 1.
    static func ownAddress(_ number: UInt8) -> ListenAddress {
        .tcp(host: "127.0.77.\(number)", port: 0)
    }

    var faults: [String] {
        events.withLock { $0.compactMap { if case .fault(let text) = $0 { text } else { nil } } }
    }

    /// Waits until the server reports a fault; returns false after a minute without one.
    func waitForFault() -> Bool {
        fault.wait(timeout: .now() + 60) == .success
    }

    /// Connects a client, from another address if one is given.
    func client(from source: String? = nil) throws -> TestClient {
        try TestClient(address, from: source)
    }

    /// Responds with the request: `METHOD target`, the fields, an empty line, the body.
    static let echo: RequestHandler = { request in
        var text = "\(request.method) \(request.target)\n"
        for field in request.headers.fields { text += "\(field.name): \(field.value)\n" }
        return .text(text + "\n" + String(decoding: request.body, as: UTF8.self))
    }
}

extension HTTPResponse {
    static func text(_ text: String, status: Int = 200, _ fields: HTTPHeaders.Field...) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: HTTPHeaders([HTTPHeaders.Field("Content-Type", "text/plain")] + fields),
            body: .bytes(Array(text.utf8)))
    }
}

extension ServerEvent: LockedState {}
