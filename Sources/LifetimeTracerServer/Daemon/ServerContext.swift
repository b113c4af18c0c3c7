import CTracerMicroHTTPD
import LifetimeTracer
import LifetimeTracerDashboard
import TracerBase

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The state behind libmicrohttpd's callbacks, which get it as their context.
///
/// Connection and request events are reported on the daemon's thread only. A connection is valid during the callback in
/// which libmicrohttpd passes it.
final class ServerContext: Sendable {
    let streams: StreamTable
    let watch: ConnectionWatch
    let loss = DescriptorLoss()
    let elsewhere = AnswersElsewhere()
    let memory = MemoryCheck()
    /// Reported by the daemon's thread at its first connection.
    let arrival = ThreadArrival()

    private let configuration: ServerConfiguration
    private let answering: Answering
    private let transport: HTTPRequest.Transport
    /// The answer to requests while the program has hardly any memory left.
    private let memoryShortage: PreparedResponse?
    private let reusable = ReusableResponses()
    private let startMessages = Locked([String]())
    private let daemonThread = Locked<ThreadIdentity?>(nil)
    /// The numeric addresses of the clients, by the descriptors of their connections.
    ///
    /// Kept, because each look at an address is a system call.
    private let clients = Locked<[Int32: String]>([:])

    /// Creates the context of a daemon that is about to start.
    init(configuration: ServerConfiguration, alarm: WakeSocket, answering: Answering) {
        self.configuration = configuration
        self.answering = answering
        if case .unix = configuration.address { transport = .unixSocket } else { transport = .tcp }
        memoryShortage = try? .make(Refusals.memoryShortage())
        streams = StreamTable(limit: configuration.limits.streams)
        watch = ConnectionWatch(
            limits: configuration.limits, probeInterval: configuration.probeInterval, streams: streams, alarm: alarm)
    }

    /// The first messages of libmicrohttpd, for the error if the daemon does not start.
    var messagesSoFar: String { startMessages.withLock { $0.joined(separator: " ") } }

    /// Records a log message of libmicrohttpd.
    func libraryMessage(_ text: String) {
        // Only the first few are kept: they explain a failed start, and the list must not grow with clients' mistakes.
        startMessages.withLock { if $0.count < 4 { $0.append(text) } }
        configuration.log(.library(text))
    }

    /// Does not return on the daemon's thread after the program has closed the server's descriptors.
    ///
    /// Called before libmicrohttpd closes a connection, and when it reports an error.
    func holdThreadAfterLoss() {
        guard loss.isNoticed, isOnDaemonThread else { return }
        // A signal that the thread does not block may end one wait.
        while true { pause() }
    }

    /// Whether the caller runs on the daemon's thread, as the handler and streams do.
    var isOnDaemonThread: Bool { daemonThread.withLock { $0 } == .current }

    /// Records that a connection was opened.
    func connectionBegins(_ descriptor: Int32) {
        // This is the first callback of all.
        let isFirst = daemonThread.withLock { thread in
            defer { thread = .current }
            return thread == nil
        }
        if isFirst { arrival.report() }
        watch.connectionBegins(descriptor)
    }

    /// Records that a connection is about to be closed, while its socket is still open.
    func connectionEnds(_ descriptor: Int32) {
        clients.withLock { $0[descriptor] = nil }
        watch.forget(descriptor)
    }

    /// First call for a request: its first line has arrived.
    func exchangeBegins(target: String, _ connection: OpaquePointer, at now: MonotonicInstant) -> Exchange {
        watch.enter(.header, lt_mhd_descriptor(connection), at: now)
        return Exchange(target: target)
    }

    /// Second call: the head has arrived.
    ///
    /// If this call queues a response, libmicrohttpd closes the connection afterwards. That is right for refusals and
    /// wrong for all other responses.
    func headArrived(_ exchange: Exchange, _ connection: OpaquePointer) -> MHD_Result {
        exchange.headIsChecked = true
        let head = RequestHead(connection: connection)
        let length = exchange.target.utf8.count
        let refusal: HTTPResponse
        if length > configuration.targetLimit {
            refusal = Refusals.targetTooLong(length, limit: configuration.targetLimit)
        } else if case let size = head.size, size > configuration.headersLimit {
            refusal = Refusals.headersTooLarge(size, limit: configuration.headersLimit)
        } else if let announced = head.contentLength, announced > configuration.bodyLimit {
            refusal = Refusals.bodyTooLarge(limit: configuration.bodyLimit)
        } else {
            // Without a body the request is complete, and its answer follows at once.
            if head.announcesBody { watch.enter(.body, lt_mhd_descriptor(connection)) }
            return .YES
        }
        watch.enter(.answer, lt_mhd_descriptor(connection))
        return send(refusal, exchange, connection)
    }

    /// Answers a request whose head has arrived, and allocates nothing in Swift for it.
    func refuseForLackOfMemory(_ connection: OpaquePointer) -> MHD_Result {
        switch memoryShortage {
        case .some(let answer): MHD_queue_response(connection, answer.status, answer.raw)
        case nil: .NO
        }
    }

    /// Stores a part of the body.
    ///
    /// No response is possible here; `NO` cuts the connection.
    func bodyArrived(_ exchange: Exchange, _ bytes: UnsafeRawBufferPointer) -> MHD_Result {
        exchange.take(bytes, limit: configuration.bodyLimit)
        return exchange.swallowed > configuration.swallowLimit ? .NO : .YES
    }

    /// Answers the complete request.
    func requestArrived(_ exchange: Exchange, _ connection: OpaquePointer, method: String) -> MHD_Result {
        if let delayed = exchange.delayed { return resumed(delayed, exchange, connection) }
        watch.enter(.answer, lt_mhd_descriptor(connection))
        if exchange.bodyIsTooLarge {
            return send(Refusals.bodyTooLarge(limit: configuration.bodyLimit), exchange, connection)
        }
        exchange.method = method
        let request = HTTPRequest(
            method: method, target: exchange.target, headers: RequestHead(connection: connection).fields,
            body: exchange.body, transport: transport,
            clientAddress: clientAddress(lt_mhd_descriptor(connection)))
        if answering.takesLong(request) {
            let suspendable = SuspendableConnection(connection: connection, loss: loss)
            exchange.delayed = elsewhere.begin(suspendable) { [answering] in answering.handler(request) }
            if exchange.delayed != nil { return .YES }
        }
        return send(answering.handler(request), exchange, connection)
    }

    /// Sends an answer that was made on another thread.
    private func resumed(
        _ delayed: AnswersElsewhere.Delayed, _ exchange: Exchange, _ connection: OpaquePointer
    ) -> MHD_Result {
        guard let response = delayed.response else {
            // Something else has resumed the connection.
            delayed.connection.suspend()
            return .YES
        }
        // The answer stays with the exchange: libmicrohttpd does not take a response while it stops, and calls again.
        _ = delayed.connection.finish()
        return send(response, exchange, connection)
    }

    /// Ends a request: its response has been sent, or never will be.
    func exchangeEnds(_ exchange: Exchange, _ connection: OpaquePointer, _ code: MHD_RequestTerminationCode) {
        _ = exchange.delayed?.connection.finish()
        exchange.delayed = nil
        if let response = exchange.reusable {
            exchange.reusable = nil
            reusable.giveBack(response)
        }
        if let session = exchange.session {
            exchange.session = nil
            session.finish(code)
            streams.remove(session)
        }
        // The connection may bring another request.
        watch.enter(.kept, lt_mhd_descriptor(connection))
    }

    /// The numeric address of the client; `nil` on a Unix socket.
    private func clientAddress(_ descriptor: Int32) -> String? {
        guard transport == .tcp else { return nil }
        if let known = clients.withLock({ $0[descriptor] }) { return known }
        let host = SocketAddress(peerOf: descriptor)?.host
        clients.withLock { $0[descriptor] = host }
        return host
    }

    private func send(_ response: HTTPResponse, _ exchange: Exchange, _ connection: OpaquePointer) -> MHD_Result {
        do throws(PreparedResponse.Unsendable) {
            if case .stream(let stream) = response.body { return try send(stream, response, exchange, connection) }
            if case .bytes(let bytes) = response.body, let taken = try reusable.take(response.headers, bytes) {
                return try queue(taken, status: response.status, exchange, connection)
            }
            return queue(try .make(response), connection)
        } catch {
            configuration.log(
                .fault("the response to \(exchange.target.printablePrefix) cannot be sent: \(error.reason)"))
            return sendUnsendable(connection)
        }
    }

    private func send(
        _ stream: any ResponseStream, _ response: HTTPResponse, _ exchange: Exchange, _ connection: OpaquePointer
    ) throws(PreparedResponse.Unsendable) -> MHD_Result {
        let session = StreamSession(stream, connection: connection, loss: loss)
        let prepared: PreparedResponse
        do throws(PreparedResponse.Unsendable) {
            prepared = try .make(
                status: response.status, headers: response.headers, session: session, isHead: exchange.method == "HEAD")
        } catch {
            stream.closed(.disconnected)
            throw error
        }
        switch streams.admit(session) {
        case .tooMany:
            stream.closed(.disconnected)
            return send(Refusals.tooManyStreams(limit: configuration.limits.streams), exchange, connection)
        case .closed:
            stream.closed(.serverStopped)
            return send(Refusals.stopping(), exchange, connection)
        case nil:
            // From here on `exchangeEnds` finishes the session, even if the response is never sent.
            exchange.session = session
            watch.enter(.stream, lt_mhd_descriptor(connection))
            watch.streamWasAdded()
            return queue(prepared, connection)
        }
    }

    private func sendUnsendable(_ connection: OpaquePointer) -> MHD_Result {
        guard let prepared = try? PreparedResponse.make(Refusals.unsendable()) else { return .NO }
        return queue(prepared, connection)
    }

    private func queue(
        _ response: ReusableResponses.Response, status: Int, _ exchange: Exchange, _ connection: OpaquePointer
    ) throws(PreparedResponse.Unsendable) -> MHD_Result {
        if let reason = PreparedResponse.objection(toStatus: status) {
            reusable.giveBack(response)
            throw PreparedResponse.Unsendable(reason: reason)
        }
        let result = MHD_queue_response(connection, UInt32(status), response.raw)
        if result == .YES { exchange.reusable = response } else { reusable.giveBack(response) }
        return result
    }

    private func queue(_ response: consuming PreparedResponse, _ connection: OpaquePointer) -> MHD_Result {
        MHD_queue_response(connection, response.status, response.raw)
    }
}
