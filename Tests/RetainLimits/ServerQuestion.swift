import Glibc
import LifetimeTracer
import LifetimeTracerServer

/// The same search through HTTP and a server in this process.
enum ServerQuestion {
    private static let mostRequests = 1_200

    /// The memory for responses, allocated before the shortage: a failed allocation of Swift's ends the program.
    ///
    /// `nonisolated(unsafe)` is safe because only the main thread sends requests.
    private nonisolated(unsafe) static let received = UnsafeMutableRawBufferPointer.allocate(
        byteCount: 1 << 20, alignment: 1)

    static func ask(about id: InstanceID, _ options: LimitOptions) {
        let path = "/tmp/retain-limits-\(getpid()).socket"
        let server = TracerServer(address: "unix:\(path)")
        do {
            try server.start()
        } catch {
            return say("refused: \(error)")
        }
        received[0] = 0
        let shortage = Shortage(options)
        say(answer(to: "/api/v1/instances/\(id.rawValue)/retain-path?fresh=1", at: path))
        let health = request("/healthz", at: path)
        say(health.status == 200 || shortage.isAny ? "healthy" : "wrong: /healthz answers \(health.status)")
        shortage.end()
        if shortage.isAny {
            say("afterwards")
            say(answer(to: "/api/v1/instances/\(id.rawValue)/retain-path?fresh=1", at: path))
        }
        server.stop()
    }

    /// Polls until the server has an answer.
    private static func answer(to first: String, at path: String) -> String {
        var target = first
        for _ in 0..<mostRequests {
            let (status, body) = request(target, at: path)
            switch status {
            case 202:
                target = String(first.prefix { $0 != "?" })
                usleep(50_000)
            case 200: return body.contains("static Held.shared") ? "right" : "wrong: \(body)"
            case 501, 503: return body.contains("\"error\"") ? "refused: \(body)" : "wrong: \(body)"
            case 0: return "refused: no connection: \(body)"
            default: return "wrong: status \(status): \(body)"
            }
        }
        return "wrong: there was no answer to \(mostRequests) requests"
    }

    /// Sends a request and returns the response; the status is 0 if no response arrives.
    private static func request(_ target: String, at path: String) -> (status: Int, body: String) {
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return (0, "error \(errno), ulimit -n") }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isConnected = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isConnected else { return (0, "error \(errno)") }
        // Another thread may have had a file open while the descriptors were taken. Then this socket has the only free
        // descriptor, and the server in this process cannot accept the connection as long as the socket is open.
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let text = "GET \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        guard write(descriptor, text, text.utf8.count) == text.utf8.count else { return (0, "error \(errno)") }
        var length = 0
        while let start = received.baseAddress,
            case let count = read(descriptor, start + length, received.count - length), count > 0
        {
            length += count
        }
        if length == 0, errno == EAGAIN { return (0, "no response in time, ulimit -n") }
        let answer = String(decoding: received[..<length], as: UTF8.self)
        let status = answer.split(separator: " ", maxSplits: 2).dropFirst().first.flatMap { Int($0) } ?? 0
        let body = answer.split(separator: "\r\n\r\n", maxSplits: 1).last.map(String.init) ?? ""
        return (status, body)
    }
}
