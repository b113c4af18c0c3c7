import TracerBase

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Creates sockets that programs started by the host do not inherit and that never block.
enum StreamSocket {
    /// Creates a stream socket of an address family; returns -1 with `errno` set on failure.
    static func make(family: Int32) -> Int32 {
        #if canImport(Glibc)
        return socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        #elseif canImport(Musl)
        return socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)
        #else
        let descriptor = socket(family, SOCK_STREAM, 0)
        if descriptor >= 0 {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        }
        return descriptor
        #endif
    }

    /// Creates two connected stream sockets; returns `nil` with `errno` set on failure.
    static func makePair() -> (Int32, Int32)? {
        var pair: [Int32] = [-1, -1]
        #if canImport(Glibc)
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, type, 0, &pair) == 0 else { return nil }
        #elseif canImport(Musl)
        guard socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, &pair) == 0 else { return nil }
        #else
        guard socketpair(AF_UNIX, SOCK_STREAM, 0, &pair) == 0 else { return nil }
        for descriptor in pair {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        }
        #endif
        return (pair[0], pair[1])
    }

    /// Reads the state of clients' sockets through system calls.
    static var sight: ConnectionTable.Sight {
        ConnectionTable.Sight(peer: peer(of:), isStalled: isStalled, identity: FileIdentity.init(of:))
    }

    private static func peer(of descriptor: Int32) -> ConnectionTable.Peer {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        if count > 0 { return .unread }
        return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) ? .silent : .ended
    }

    private static func isStalled(_ descriptor: Int32) -> Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&polled, 1, 0) == 0
    }

    /// Shuts down a connection whose socket belongs to libmicrohttpd, which then closes the socket.
    ///
    /// Unsent data is discarded; otherwise the system would keep it for a client that does not read it.
    static func abort(_ descriptor: Int32) {
        var atOnce = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &atOnce, socklen_t(MemoryLayout<linger>.size))
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    #if canImport(Darwin)
    static let sendFlags = Int32(MSG_DONTWAIT)
    #else
    /// A send neither blocks nor raises `SIGPIPE`.
    static let sendFlags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    #endif

    /// Sends as much of a response as is possible without blocking, on a connection that no other code uses, and closes
    /// the connection.
    static func refuse(_ descriptor: Int32, with answer: [UInt8]) {
        _ = send(descriptor, answer, answer.count, sendFlags)
        shutdown(descriptor, Int32(SHUT_WR))
        // If unread bytes were left, closing would make the system discard the response.
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            _ = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        }
        close(descriptor)
    }

    /// Bounds the system's send buffer for a client that does not read its response, which otherwise grows to
    /// megabytes.
    static func boundSendBuffer(of descriptor: Int32) {
        var size: Int32 = 128 * 1024
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Turns a boolean socket option on.
    static func enable(_ option: Int32, level: Int32, of descriptor: Int32) {
        var one: Int32 = 1
        setsockopt(descriptor, level, option, &one, socklen_t(MemoryLayout<Int32>.size))
    }
}
