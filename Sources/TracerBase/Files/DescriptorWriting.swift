#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Writes to open files, pipes and terminals.
package enum DescriptorWriting {
    /// Writes all bytes, if possible with a single call of the system.
    ///
    /// Blocks the calling thread. If an error occurs, a part may have been written.
    ///
    /// - Parameter waits: Whether to wait for a reader if another program has made the descriptor non-blocking.
    package static func write(
        _ bytes: [UInt8], to descriptor: CInt, waits: Bool = true
    ) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { writeSome($0, to: descriptor) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN, waits {
                var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&watched, 1, -1)
                continue
            }
            guard count >= 0 else { throw .last }
            rest = rest.dropFirst(count)
        }
    }
}

// The system's function, which the method hides.
private func writeSome(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
