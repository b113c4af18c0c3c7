import TracerBase

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A connection to a server, with a deadline.
///
/// Its methods block the calling thread.
struct SocketConnection: ~Copyable {
    /// The reason why a connection gave no response.
    enum Failure: Error {
        /// The phase that the deadline interrupted.
        enum Phase { case connecting, exchanging }

        case timedOut(Phase)
        /// The server closed the connection before its response was complete.
        case closed
        /// The system's error message.
        case system(String)
        /// The problem with the response or the address; a retry would give the same result.
        case unusable(String)
    }

    /// The largest accepted response, in bytes; a page of 500 entries is much smaller.
    static let answerLimit = 64 * 1024 * 1024

    private let descriptor: Int32
    private let deadline: ContinuousClock.Instant

    /// Connects to the first address of the server that accepts the connection.
    init(to server: ServerAddress, by deadline: ContinuousClock.Instant) throws(Failure) {
        self.deadline = deadline
        var last = Failure.system("the host has no address")
        for address in try SocketEndpoint.all(of: server) {
            do throws(Failure) {
                descriptor = try Self.connected(to: address, by: deadline)
                return
            } catch {
                last = error
            }
        }
        throw last
    }

    deinit {
        close(descriptor)
    }

    /// Sends all bytes.
    borrowing func send(_ bytes: [UInt8]) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            try wait(for: POLLOUT)
            #if canImport(Darwin)
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            #else
            // Without the flag, a server that closes the connection would end this program with SIGPIPE.
            let count = rest.withUnsafeBytes {
                sendBytes(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            #endif
            if count < 0, Self.isPassing(errno) { continue }
            guard count > 0 else { throw .system(SystemError.last.description) }
            rest = rest.dropFirst(count)
        }
    }

    /// Returns the next bytes; none if the server has closed the connection.
    borrowing func receive() throws(Failure) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            try wait(for: POLLIN)
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, Self.isPassing(errno) { continue }
            guard count >= 0 else { throw .system(SystemError.last.description) }
            return Array(buffer[..<count])
        }
    }

    private static func connected(
        to endpoint: SocketEndpoint, by deadline: ContinuousClock.Instant
    ) throws(Failure) -> Int32 {
        let made = socket(endpoint.family, streamKind, 0)
        guard made >= 0 else { throw .system("cannot create a socket: \(SystemError.last)") }
        // Never uses a descriptor below 3: if the program was started without a standard stream, its text would go to
        // the server.
        let descriptor = fcntl(made, F_DUPFD_CLOEXEC, 3)
        let problem = errno
        close(made)
        guard descriptor >= 0 else { throw .system("cannot create a socket: \(SystemError(problem))") }
        do throws(Failure) {
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            var status = connectStatus(of: descriptor, to: endpoint)
            // A Unix socket whose backlog is full returns EAGAIN at once and may accept the connection later.
            while status == EAGAIN, ContinuousClock.now < deadline {
                poll(nil, 0, 20)
                status = connectStatus(of: descriptor, to: endpoint)
            }
            if status == EAGAIN { throw .timedOut(.connecting) }
            if status == EINPROGRESS || status == EINTR {
                try wait(for: POLLOUT, on: descriptor, by: deadline, during: .connecting)
                var length = socklen_t(MemoryLayout<Int32>.size)
                getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &status, &length)
            }
            guard status == 0 else { throw .system(SystemError(status).description) }
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Starts to connect and returns 0 or the error number.
    private static func connectStatus(of descriptor: Int32, to endpoint: SocketEndpoint) -> Int32 {
        endpoint.withPointer { connect(descriptor, $0, $1) == 0 ? 0 : errno }
    }

    private borrowing func wait(for events: Int32) throws(Failure) {
        try Self.wait(for: events, on: descriptor, by: deadline, during: .exchanging)
    }

    private static func wait(
        for events: Int32, on descriptor: Int32, by deadline: ContinuousClock.Instant, during phase: Failure.Phase
    ) throws(Failure) {
        while true {
            let rest = (deadline - ContinuousClock.now).seconds
            guard rest > 0 else { throw .timedOut(phase) }
            var watched = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            let count = poll(&watched, 1, Int32((rest * 1000).rounded(.up)))
            if count > 0 { return }
            guard count == 0 || errno == EINTR else { throw .system(SystemError.last.description) }
        }
    }

    private static func isPassing(_ error: Int32) -> Bool {
        error == EINTR || error == EAGAIN
    }

    private static var streamKind: Int32 {
        #if canImport(Darwin) || canImport(Musl)
        SOCK_STREAM
        #else
        Int32(SOCK_STREAM.rawValue)
        #endif
    }
}

#if !canImport(Darwin)
private func sendBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
    send(descriptor, bytes, count, flags)
}
#endif
