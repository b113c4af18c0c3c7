#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Makes sockets the way this room wants them: not inherited by programs that the host starts, and never blocking.
enum StreamSocket {
    /// A new stream socket of that family, or -1 with `errno` set.
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

    /// Two stream sockets that are connected to each other; `nil` with `errno` set where there are none.
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

    /// Looks at clients by way of the system.
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

    /// Ends a connection whose socket belongs to libmicrohttpd, which then closes it.
    ///
    /// What was not sent is given up: otherwise the system would keep it for a client that does not take it.
    static func abort(_ descriptor: Int32) {
        var atOnce = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &atOnce, socklen_t(MemoryLayout<linger>.size))
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Sends an answer on a connection that nobody else has, as far as that works without waiting, and closes it.
    static func refuse(_ descriptor: Int32, with answer: [UInt8]) {
        #if canImport(Darwin)
        let flags = Int32(MSG_DONTWAIT)
        #else
        let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
        #endif
        _ = send(descriptor, answer, answer.count, flags)
        shutdown(descriptor, Int32(SHUT_WR))
        // With unread bytes behind it, the system would take the answer back.
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            _ = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        }
        close(descriptor)
    }

    /// Bounds what the system keeps for a client that does not take its answer: else it is megabytes.
    static func boundSendBuffer(of descriptor: Int32) {
        var size: Int32 = 128 * 1024
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Switches a yes-or-no option on.
    static func enable(_ option: Int32, level: Int32, of descriptor: Int32) {
        var one: Int32 = 1
        setsockopt(descriptor, level, option, &one, socklen_t(MemoryLayout<Int32>.size))
    }
}
