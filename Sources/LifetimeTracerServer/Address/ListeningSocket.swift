import TracerBase

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A listening socket, opened by this package instead of libmicrohttpd so that errors are exact.
///
/// The owner must call ``release()`` when the socket is no longer needed.
struct ListeningSocket: Sendable {
    /// The socket.
    let descriptor: Int32
    /// The actual listening address, with the port that was picked.
    let address: ListenAddress
    private let file: UnixSocketFile?

    /// Opens a socket, binds it and listens.
    ///
    /// - Throws: ``ServerError`` with the address, the system's error and a remedy.
    static func open(_ address: ListenAddress) throws(ServerError) -> ListeningSocket {
        switch address {
        case .tcp(let host, let port): try openTCP(address, host: host, port: port)
        case .unix(let path): try openUnix(address, path: path)
        }
    }

    /// Removes the file of a Unix socket, so that no further client connects; does nothing for TCP.
    func removeFile() {
        file?.remove()
    }

    /// Closes the socket and removes its file; from then on, clients are refused.
    func release() {
        removeFile()
        // A process that the program is starting has a copy of the descriptor until it executes its file. Without this
        // call, clients could connect until then, and would wait in vain.
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }

    private static func openTCP(
        _ address: ListenAddress, host: String, port: UInt16
    ) throws(ServerError) -> ListeningSocket {
        guard let wanted = SocketAddress(host: host, port: port) else {
            throw ServerError(
                .invalidAddress, "cannot listen on \(address): \"\(host)\" is neither an IP address nor localhost",
                hint: "pass the IP address")
        }
        let descriptor = try makeSocket(for: address, family: wanted.family)
        // Without this option, closed connections in TIME_WAIT would block the port for a minute after a stop.
        StreamSocket.enable(SO_REUSEADDR, level: SOL_SOCKET, of: descriptor)
        if wanted.isIPv6 {
            StreamSocket.enable(IPV6_V6ONLY, level: Int32(IPPROTO_IPV6), of: descriptor)
        }
        guard wanted.withPointer({ bind(descriptor, $0, $1) }) == 0, listen(descriptor, SOMAXCONN) == 0 else {
            throw abandon(descriptor, address, errno)
        }
        guard let bound = SocketAddress(boundTo: descriptor) else {
            throw abandon(descriptor, address, errno)
        }
        return ListeningSocket(
            descriptor: descriptor, address: .tcp(host: host, port: bound.port), file: nil)
    }

    private static func openUnix(_ address: ListenAddress, path: String) throws(ServerError) -> ListeningSocket {
        guard let wanted = SocketAddress(path: path) else {
            throw ServerError(
                .cannotListen,
                "cannot listen on \(address): the path has \(path.utf8.count) bytes, the system's limit is"
                    + " \(SocketAddress.longestPath) (errno \(ENAMETOOLONG))",
                hint: "pass a shorter path", errno: ENAMETOOLONG)
        }
        try UnixSocketFile.clearStale(path, for: address)
        let descriptor = try makeSocket(for: address, family: AF_UNIX)
        // On Linux the file takes its mode from the socket, so it is never open to other users. The umask, which
        // belongs to the whole process, stays unchanged.
        _ = fchmod(descriptor, UnixSocketFile.mode)
        guard wanted.withPointer({ bind(descriptor, $0, $1) }) == 0 else {
            throw abandon(descriptor, address, errno)
        }
        // Nobody can connect before `listen`, so even where `fchmod` had no effect the mode is set in time.
        guard let file = UnixSocketFile(boundAt: path), file.restrict() else {
            let failure = errno
            unlink(path)
            throw abandon(descriptor, address, failure)
        }
        guard listen(descriptor, SOMAXCONN) == 0 else {
            let failure = errno
            file.remove()
            throw abandon(descriptor, address, failure)
        }
        return ListeningSocket(descriptor: descriptor, address: address, file: file)
    }

    private static func makeSocket(for address: ListenAddress, family: Int32) throws(ServerError) -> Int32 {
        let descriptor = StreamSocket.make(family: family)
        guard descriptor >= 0 else { throw refusal(of: address, errno) }
        return descriptor
    }

    private static func abandon(_ descriptor: Int32, _ address: ListenAddress, _ failure: Int32) -> ServerError {
        close(descriptor)
        return refusal(of: address, failure)
    }

    /// Creates the error for an errno value.
    static func refusal(of address: ListenAddress, _ failure: Int32) -> ServerError {
        ServerError(
            failure == EADDRINUSE ? .addressInUse : .cannotListen,
            "cannot listen on \(address): \(SystemError(failure))",
            hint: remedy(for: failure, address), errno: failure)
    }

    private static func remedy(for failure: Int32, _ address: ListenAddress) -> String {
        switch (address, failure) {
        case (.tcp, EADDRINUSE): "pass another port, or port 0 to pick a free one"
        case (.tcp, EACCES): "ports below 1024 need privileges; pass a higher port, or port 0 to pick a free one"
        case (.tcp, EADDRNOTAVAIL): "no interface of this machine has that address; pass 127.0.0.1"
        case (.tcp, EAFNOSUPPORT): "this machine does not support that address family; pass 127.0.0.1"
        case (.unix, EADDRINUSE): "stop the program that listens there, or pass another path"
        case (.unix, ENOENT), (.unix, ENOTDIR): "create the directory, or pass a path in an existing directory"
        case (.unix, EACCES), (.unix, EPERM), (.unix, EROFS): "pass a path in a directory that you may write to"
        case (_, EMFILE), (_, ENFILE): DescriptorLimit.remedy(for: failure)
        case (.tcp, _): "pass another address"
        case (.unix, _): "pass another path"
        }
    }
}
