import Foundation
import LifetimeTracer
import TracerBase

/// A transport that opens one socket connection for each request.
///
/// The connection is always direct. Proxies of the environment are ignored, because a proxy would see the access token
/// and cannot reach this machine's loopback addresses. Redirects are not followed.
struct SocketTransport: APITransport {
    let address: ServerAddress
    /// The access token, if one is set.
    let token: String?
    /// The timeout of one request, from the name lookup to the last byte of the response.
    let timeout: Duration

    /// The default timeout of a request, in seconds.
    static let usualTimeout = 10.0
    /// The timeouts that the command line accepts, in seconds.
    static let timeouts = 0.001...3600.0

    func send(_ request: APIRequest) async throws(ClientFailure) -> APIReply {
        let head = try head(of: request)
        let deadline = ContinuousClock.now + timeout
        let result: Result<APIReply, ClientFailure> = await withCheckedContinuation { continuation in
            let waiting = Locked<CheckedContinuation<Result<APIReply, ClientFailure>, Never>?>(continuation)
            // The first result resumes the task; a later one finds no continuation.
            let finish: @Sendable (Result<APIReply, ClientFailure>) -> Void = { result in
                waiting.withLock { waiting in
                    defer { waiting = nil }
                    return waiting
                }?.resume(returning: result)
            }
            // Sockets respect the deadline themselves, but a name lookup does not.
            let grace = Duration.milliseconds(250)
            DispatchQueue.global().asyncAfter(deadline: .now() + (timeout + grace).seconds) {
                finish(.failure(noAnswer("no connection to")))
            }
            do throws(ThreadError) {
                try SystemThread(named: "tracer-client") {
                    let request = head + (request.body ?? "")
                    finish(Result { () throws(ClientFailure) in try exchange(request, by: deadline) })
                }.detach()
            } catch {
                finish(.failure(.unreachable("cannot reach \(place): \(error)")))
            }
        }
        return try result.get()
    }

    private func head(of request: APIRequest) throws(ClientFailure) -> String {
        var fields = ["Host: \(address.hostField)", "Connection: close"]
        if let token {
            guard token.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
                throw .unusable("the access token contains a space or a control character, which no server accepts")
            }
            fields.append("Authorization: Bearer \(token)")
        }
        if let body = request.body {
            fields += ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"]
        }
        return "\(request.method) /\(request.path) HTTP/1.1\r\n" + fields.map { "\($0)\r\n" }.joined() + "\r\n"
    }

    private func exchange(_ request: String, by deadline: ContinuousClock.Instant) throws(ClientFailure) -> APIReply {
        var received: [UInt8] = []
        do throws(SocketConnection.Failure) {
            let connection = try SocketConnection(to: address, by: deadline)
            try connection.send(Array(request.utf8))
            return try reply(from: connection, &received)
        } catch {
            throw failure(error, hasReceived: !received.isEmpty)
        }
    }

    private func reply(
        from connection: borrowing SocketConnection, _ received: inout [UInt8]
    ) throws(SocketConnection.Failure) -> APIReply {
        var head: HTTPReplyHead?
        while true {
            let piece = try connection.receive()
            received += piece
            if head == nil { head = try HTTPReplyHead(in: received) }
            if let head {
                let length = received.count - head.byteCount
                // A body of unknown length ends with the connection.
                let isWhole = head.contentLength.map { length >= $0 } ?? piece.isEmpty
                if isWhole {
                    let body = Array(received[head.byteCount...].prefix(head.contentLength ?? length))
                    return APIReply(status: head.status, body: body, location: head.location)
                }
            }
            guard !piece.isEmpty else { throw .closed }
        }
    }

    private func failure(_ failure: SocketConnection.Failure, hasReceived: Bool) -> ClientFailure {
        switch failure {
        case .timedOut(.connecting): noAnswer("no connection to")
        case .timedOut(.exchanging) where hasReceived: noAnswer("no complete response from")
        case .timedOut(.exchanging): noAnswer("no response from")
        case .closed where hasReceived: .unreachable("\(place) closed the connection before the end of the response")
        case .closed: .unreachable("\(place) closed the connection without a response")
        case .system(let reason): .unreachable("cannot reach \(place): \(reason)")
        case .unusable(let reason): .unusable("\(place) \(reason)")
        }
    }

    private func noAnswer(_ problem: String) -> ClientFailure {
        .unreachable("\(problem) \(place) within \(timeout.inSeconds) s; set a longer limit with --timeout")
    }

    private var place: String { address.description }
}

extension Duration {
    /// The duration as a number of seconds.
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }

    /// The seconds as text, without a fraction if they are whole.
    var inSeconds: String {
        Int(exactly: seconds).map(String.init) ?? String(seconds)
    }
}
