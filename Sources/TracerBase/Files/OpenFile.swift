#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A file that is open for reading; closed when the value ends.
///
/// Its bytes are copied instead of mapped, because a mapped file that shrinks kills the program at the next access.
package struct OpenFile: ~Copyable {
    private let descriptor: CInt
    /// Whether the file is a regular one, and not a directory, a pipe or a device.
    package let isRegular: Bool
    /// The size when the file was opened, in bytes; 0 for files that the kernel makes up.
    package let size: UInt64
    /// The permission bits, as in `chmod`.
    package let permissions: UInt32

    /// Opens a file.
    ///
    /// Opening a named pipe does not wait for a writer.
    package init(_ path: String) throws(SystemError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .last }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let error = SystemError.last
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        isRegular = status.st_mode & S_IFMT == S_IFREG
        size = UInt64(max(0, status.st_size))
        permissions = UInt32(status.st_mode & 0o7777)
    }

    deinit {
        close(descriptor)
    }

    /// Copies bytes of a regular file, up to a limit or the end of the file.
    ///
    /// - Parameters:
    ///   - limit: The largest number of bytes. That much memory is allocated, even for a shorter file.
    ///   - offset: The position of the first byte.
    package borrowing func bytes(atMost limit: Int, at offset: UInt64 = 0) throws(SystemError) -> [UInt8] {
        var failure: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, filled in
            while filled < limit {
                // Safe: the pointer stays inside `buffer`, which has room for `limit` bytes.
                let rest = buffer.baseAddress.map { $0 + filled }
                let count = pread(descriptor, rest, limit - filled, off_t(offset) + off_t(filled))
                if count > 0 {
                    filled += count
                } else if count == 0 {
                    return
                } else if errno != EINTR {
                    failure = .last
                    return
                }
            }
        }
        if let failure { throw failure }
        return bytes
    }
}
