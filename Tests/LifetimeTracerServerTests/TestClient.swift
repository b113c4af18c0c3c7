import Glibc
import Patience

@testable import LifetimeTracerServer

/// A client that sends arbitrary bytes, including invalid requests.
///
/// Every wait ends with an error after ``Patience/limit``.
final class TestClient {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let descriptor: Int32
    private var received: [UInt8] = []
    private var isOpen = true

    /// Connects to an address.
    ///
    /// - Parameter source: The loopback address of the client; `nil` lets the system choose one.
    init(_ address: ListenAddress, from source: String? = nil) throws {
        let target: SocketAddress?
        switch address {
        case .tcp(let host, let port): target = SocketAddress(host: host, port: port)
        case .unix(let path): target = SocketAddress(path: path)
        }
        guard let target else { throw Failure(description: "cannot connect to \(address)") }
        descriptor = socket(target.family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: Patience.seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        if let source, let own = SocketAddress(host: source, port: 0) {
            guard own.withPointer({ bind(descriptor, $0, $1) }) == 0 else {
                throw Failure(description: "bind \(source): \(String(cString: strerror(errno)))")
            }
        }
        guard target.withPointer({ connect(descriptor, $0, $1) }) == 0 else {
            throw Failure(description: "connect \(address): \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        disconnect()
    }

    func disconnect() {
        guard isOpen else { return }
        isOpen = false
        close(descriptor)
    }

    /// Closes the sending half of the connection; the client can still read.
    func finishSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Sends as much as the peer accepts; returns false if the peer has closed the connection.
    @discardableResult
    func send(_ text: String) -> Bool {
        send(Array(text.utf8))
    }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Sends a request for a target, with a correct `Host`.
    func request(_ method: String = "GET", _ target: String = "/", headers: String = "", body: String? = nil) {
        let length = body.map { "Content-Length: \($0.utf8.count)\r\n" } ?? ""
        send("\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\(headers)\(length)\r\n\(body ?? "")")
    }

    /// Reads a response and its body: with a length, in chunks, or up to the end of the connection.
    func reply(to method: String = "GET") throws -> TestReply {
        var reply = try head()
        if method == "HEAD" || reply.status == 204 || reply.status == 304 { return reply }
        if reply["Transfer-Encoding"] == "chunked" {
            while let chunk = try self.chunk() { reply.body += chunk }
        } else if let length = reply["Content-Length"].flatMap({ Int($0) }) {
            reply.body = try take(length)
        } else {
            reply.body = try rest()
        }
        return reply
    }

    /// Reads up to the empty line after the header fields.
    func head() throws -> TestReply {
        while true {
            if let end = received.firstRange(of: [13, 10, 13, 10]) {
                let text = String(decoding: received[..<end.lowerBound], as: UTF8.self)
                received.removeSubrange(..<end.upperBound)
                return try TestReply(head: text)
            }
            guard try fill() else { throw Failure(description: "the connection ended in the head: \(received)") }
        }
    }

    /// Reads the next chunk; `nil` is the last chunk.
    func chunk() throws -> [UInt8]? {
        guard let size = Int(try line(), radix: 16) else { throw Failure(description: "no size of a chunk") }
        let bytes = try take(size)
        guard try line().isEmpty else { throw Failure(description: "the chunk goes on behind its end") }
        return size == 0 ? nil : bytes
    }

    /// Reads everything up to the end of the connection.
    func rest() throws -> [UInt8] {
        while try fill() {}
        defer { received = [] }
        return received
    }

    /// Whether the peer closes the connection without sending anything.
    func isClosedByPeer() throws -> Bool {
        try received.isEmpty && !fill()
    }

    /// Whether the peer closes the connection within a time, without sending anything.
    func isClosed(within milliseconds: Int32) -> Bool {
        var byte: UInt8 = 0
        return isReadable(within: milliseconds) && recv(descriptor, &byte, 1, Int32(MSG_PEEK)) <= 0
    }

    /// Whether bytes or the end of the connection arrive within a time.
    func isReadable(within milliseconds: Int32) -> Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, milliseconds) > 0
    }

    private func line() throws -> String {
        while true {
            if let end = received.firstRange(of: [13, 10]) {
                let text = String(decoding: received[..<end.lowerBound], as: UTF8.self)
                received.removeSubrange(..<end.upperBound)
                return text
            }
            guard try fill() else { throw Failure(description: "the connection ended in a line") }
        }
    }

    private func take(_ count: Int) throws -> [UInt8] {
        while received.count < count {
            guard try fill() else {
                throw Failure(description: "the connection ended after \(received.count) of \(count) bytes")
            }
        }
        defer { received.removeFirst(count) }
        return Array(received.prefix(count))
    }

    /// Reads more bytes; returns false at the end of the connection or on an error.
    private func fill() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 { received += buffer[..<count] }
        if count < 0, errno == EAGAIN { throw Failure(description: "nothing came for \(Patience.limit)") }
        return count > 0
    }
}

/// A received response.
struct TestReply {
    let status: Int
    let head: String
    let fields: [(name: String, value: String)]
    var body: [UInt8] = []

    init(head: String) throws {
        self.head = head
        let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
        let words = lines[0].split(separator: " ")
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
            throw TestClient.Failure(description: "no status line: \(lines[0])")
        }
        self.status = status
        fields = lines.dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
        }
    }

    subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    var text: String { String(decoding: body, as: UTF8.self) }
}
