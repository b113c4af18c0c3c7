import Dispatch
import Foundation
import LifetimeTracer

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A server for one request on a free port.
///
/// It answers on request, or notices that the client closes the connection.
final class TinyServer: Sendable {
    /// The request has arrived.
    let requested = Signal()
    /// The client has closed the connection.
    let hungUp = Signal()

    private let mayAnswer = DispatchSemaphore(value: 0)
    private let listener: Int32
    private let port: UInt16

    struct Failure: Error {
        let call: String
        let errno: Int32
    }

    init() throws {
        #if canImport(Darwin)
        let stream = SOCK_STREAM
        #else
        let stream = Int32(SOCK_STREAM.rawValue)
        #endif
        let listener = socket(AF_INET, stream, 0)
        guard listener >= 0 else { throw Failure(call: "socket", errno: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let failure = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                if bind(listener, generic, size) != 0 { return true }
                if listen(listener, 4) != 0 { return true }
                return getsockname(listener, generic, &size) != 0
            }
        }
        guard !failure else { throw Failure(call: "bind", errno: errno) }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [requested, hungUp, mayAnswer] in
            Self.serve(listener, requested, hungUp, mayAnswer)
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        mayAnswer.signal()
    }

    func url(_ path: String) -> URL {
        URL(string: "http://127.0.0.1:\(port)\(path)") ?? URL(filePath: "/")
    }

    /// The event under which a request for a path is counted.
    func event(_ path: String) -> String {
        "GET 127.0.0.1:\(port)\(path)"
    }

    /// Answers the request to `/held`.
    func answer() {
        mayAnswer.signal()
    }

    private static func serve(
        _ listener: Int32, _ requested: Signal, _ hungUp: Signal, _ mayAnswer: DispatchSemaphore
    ) {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        defer { close(connection) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        var head = ""
        while !head.contains("\r\n\r\n") {
            let count = read(connection, &bytes, bytes.count)
            guard count > 0 else { return }
            head += String(decoding: bytes[..<count], as: UTF8.self)
        }
        requested.fire()
        if head.hasPrefix("GET /held") {
            mayAnswer.wait()
            let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello".utf8)
            _ = write(connection, answer, answer.count)
        }
        while read(connection, &bytes, bytes.count) > 0 {}
        hungUp.fire()
    }
}
