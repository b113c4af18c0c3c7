#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A file that is read as a whole.
enum SmallFile {
    /// The bytes of a regular file, at most `limit`.
    ///
    /// Errors do not contain the file's name, which the caller knows.
    static func bytes(at path: String, limit: Int) throws(KnownLeaksError) -> [UInt8] {
        // O_NONBLOCK keeps `open` from blocking on a pipe.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw KnownLeaksError(
                "The file cannot be opened: \(text(of: errno)).",
                hint: "Check the path, and that the program may read the file.")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw KnownLeaksError("The path is not a regular file.", hint: "Give the path of a regular file.")
        }
        // One additional byte shows that a file is too long, even if it has grown since.
        var failure: CInt = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: limit + 1) { buffer, filled in
            while filled <= limit {
                // Safe: the pointer stays inside `buffer`, which has room for `limit + 1` bytes.
                let got = read(descriptor, buffer.baseAddress.map { $0 + filled }, limit + 1 - filled)
                if got > 0 {
                    filled += got
                } else if got == 0 {
                    return
                } else if errno != EINTR {
                    failure = errno
                    return
                }
            }
        }
        guard failure == 0 else {
            throw KnownLeaksError("The file cannot be read: \(text(of: failure)).", hint: "Check the disk, and retry.")
        }
        guard bytes.count <= limit else {
            throw KnownLeaksError("The file has more than \(limit) bytes.", hint: "List fewer leaks, or use patterns.")
        }
        return bytes
    }

    private static func text(of error: CInt) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        _ = strerror_r(error, &buffer, buffer.count)
        let message = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return message.isEmpty ? "error \(error)" : "\(message) (error \(error))"
    }
}
