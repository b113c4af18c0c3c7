import Foundation
import LifetimeTracer

/// A server that accepts connections, reads each request, sends the bytes of a script and leaves the connection open.
///
/// Without a script, the server never answers.
final class ScriptedServer: Sendable {
    let port: UInt16
    private let listener: Int32
    /// Whether a thread accepts connections, and closes the listener when it ends.
    ///
    /// If the listener were closed while the thread can still accept, another server could get its number, and the
    /// thread would answer for that server.
    private let isAccepting: Bool
    private let accepted = Locked<[Int32]>([])

    /// The socket could not be created.
    struct CannotListen: Error {
        let errno: Int32
    }

    /// - Parameters:
    ///   - bytes: The answer to each request.
    ///   - closes: Whether the server closes the connection after the answer.
    convenience init(_ bytes: String?, closes: Bool = false) throws {
        let answer: (@Sendable (String) -> String)? = if let bytes { { _ in bytes } } else { nil }
        try self.init(closes: closes, answering: answer)
    }

    /// - Parameters:
    ///   - closes: Whether the server closes the connection after the answer.
    ///   - answer: Returns the answer to a request with its method and target, as in `GET /healthz`.
    init(closes: Bool = false, answering answer: (@Sendable (_ request: String) -> String)?) throws {
        #if canImport(Darwin) || canImport(Musl)
        let listener = socket(AF_INET, SOCK_STREAM, 0)
        #else
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        // Programs that are started meanwhile must not inherit the socket, which would keep the connections open.
        _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listens = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard listens else { throw CannotListen(errno: errno) }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        isAccepting = answer != nil
        guard let answer else { return }
        Thread.detachNewThread { [accepted] in
            defer { close(listener) }
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                var buffer = [UInt8](repeating: 0, count: 4096)
                // The request is short, so the first read returns all of it.
                let length = max(0, read(connection, &buffer, buffer.count))
                let line = String(decoding: buffer[..<length], as: UTF8.self).prefix { $0 != "\r\n" }
                let bytes = answer(line.split(separator: " ").prefix(2).joined(separator: " "))
                _ = Array(bytes.utf8).withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
                if closes { close(connection) } else { accepted.withLock { $0.append(connection) } }
            }
        }
    }

    deinit {
        // `shutdown` ends the accepting thread.
        shutdown(listener, Int32(SHUT_RDWR))
        if !isAccepting { close(listener) }
        for connection in accepted.withLock({ $0 }) { close(connection) }
    }
}
