#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The file of a Unix socket that this process bound, identified by device and inode so that another program's file is
/// never removed.
struct UnixSocketFile: Sendable {
    /// Read and write permission for this user only.
    static let mode = mode_t(0o600)

    /// Absolute, because the program may change its working directory before the file is removed.
    private let path: String
    private let device: dev_t
    private let inode: ino_t

    /// Identifies the file that a socket was just bound to; `nil` with `errno` set if the file does not exist.
    init?(boundAt path: String) {
        guard let status = Self.status(path) else { return nil }
        device = status.st_dev
        inode = status.st_ino
        if path.hasPrefix("/") {
            self.path = path
        } else {
            guard let directory = getcwd(nil, 0) else { return nil }
            self.path = String(cString: directory) + "/" + path
            free(directory)
        }
    }

    /// Removes all permissions of other users; returns false with `errno` set on failure.
    func restrict() -> Bool {
        guard let status = Self.status(path) else { return false }
        return status.st_mode & 0o777 == Self.mode || chmod(path, Self.mode) == 0
    }

    /// Removes the file, unless another file has replaced it.
    func remove() {
        guard let status = Self.status(path), status.st_dev == device, status.st_ino == inode else { return }
        unlink(path)
    }

    /// Removes a stale socket, left at `path` by a program that ended without removing it.
    ///
    /// - Throws: ``ServerError`` if another process listens or may listen on the socket, or if the file is not a
    ///   socket.
    static func clearStale(_ path: String, for address: ListenAddress) throws(ServerError) {
        // For any other problem with the path, `bind` reports a better error.
        guard let status = status(path) else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw ServerError(
                .notASocket, "cannot listen on \(address): the file exists and is not a socket (errno \(EEXIST))",
                hint: "remove it, or pass another path", errno: EEXIST)
        }
        switch connectionFailure(path) {
        case ECONNREFUSED:
            guard unlink(path) == 0 || errno == ENOENT else { throw ListeningSocket.refusal(of: address, errno) }
        case ENOENT:
            return
        case 0, EAGAIN, EINPROGRESS:
            // Also when the queue of connections is full, because a stale socket has no queue.
            throw ListeningSocket.refusal(of: address, EADDRINUSE)
        case let failure:
            throw ListeningSocket.refusal(of: address, failure)
        }
    }

    /// Returns the error of connecting to the socket at `path`, or 0 on success.
    ///
    /// Never blocks.
    private static func connectionFailure(_ path: String) -> Int32 {
        guard let address = SocketAddress(path: path) else { return ENAMETOOLONG }
        let descriptor = StreamSocket.make(family: AF_UNIX)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        return address.withPointer { connect(descriptor, $0, $1) } == 0 ? 0 : errno
    }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }
}
