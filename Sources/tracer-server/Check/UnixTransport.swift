import Dispatch
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Reaches a server through a socket in the file system, which `URLSession` cannot: one connection a request.
struct UnixTransport: APITransport {
    let path: String
    let token: String?

    /// The largest answer, in bytes; a page of 500 entries has a fraction of it.
    private static let answerLimit = 64 * 1024 * 1024

    func get(_ target: String) async throws(CheckFailure) -> APIReply {
        let result: Result<APIReply, CheckFailure> = await withCheckedContinuation { continuation in
            // Reading blocks, so it is done where that holds nobody up.
            DispatchQueue.global().async {
                continuation.resume(returning: Result { () throws(CheckFailure) in try exchange(target) })
            }
        }
        return try result.get()
    }

    private func exchange(_ target: String) throws(CheckFailure) -> APIReply {
        let descriptor = try connected()
        defer { close(descriptor) }
        let authorization = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        let request = "GET /\(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(authorization)\r\n"
        try send(Array(request.utf8), to: descriptor)
        return try Self.reply(in: try receiveAll(from: descriptor))
    }

    private func connected() throws(CheckFailure) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < room else {
            throw .unusable("the path of \(path.utf8.count) bytes is too long for a socket: at most \(room - 1)")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        #if canImport(Darwin) || canImport(Musl)
        let kind = SOCK_STREAM
        #else
        let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw failure("cannot make a socket") }
        var limit = timeval()
        limit.tv_sec = Int(SessionTransport.timeout)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else {
            let reason = failure("cannot reach unix:\(path)")
            close(descriptor)
            throw reason
        }
        return descriptor
    }

    private func send(_ bytes: [UInt8], to descriptor: Int32) throws(CheckFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            #if canImport(Darwin)
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            #else
            // A server that hangs up must not end this program by a signal.
            let count = rest.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            #endif
            guard count > 0 else { throw failure("cannot send to unix:\(path)") }
            rest = rest.dropFirst(count)
        }
    }

    private func receiveAll(from descriptor: Int32) throws(CheckFailure) -> [UInt8] {
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count >= 0 else { throw failure("no answer from unix:\(path)") }
            if count == 0 { return received }
            received += buffer[..<count]
            guard received.count <= Self.answerLimit else { throw .unusable("unix:\(path) does not stop answering") }
        }
    }

    private func failure(_ what: String) -> CheckFailure {
        .unreachable("\(what): \(String(cString: strerror(errno)))")
    }

    /// Takes a whole answer apart.
    ///
    /// The connection was closed behind it, so all behind the head is the body.
    static func reply(in bytes: [UInt8]) throws(CheckFailure) -> APIReply {
        let data = Data(bytes)
        guard let end = data.firstRange(of: Data("\r\n\r\n".utf8)) else {
            throw .unusable("the socket did not answer in HTTP")
        }
        let lines = String(decoding: data[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
            throw .unusable("the socket did not answer in HTTP")
        }
        let isChunked = lines.contains { $0.lowercased().hasPrefix("transfer-encoding:") }
        guard !isChunked else {
            throw .unusable("the socket answered in chunks, which LifetimeTracer does not do here")
        }
        return APIReply(status: status, body: Data(data[end.upperBound...]))
    }
}
