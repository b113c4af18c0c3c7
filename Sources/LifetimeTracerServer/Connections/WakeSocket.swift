#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A socket pair by which any thread wakes a thread that waits in `poll`.
///
/// The owner must call ``release()`` when no thread uses the pair any more.
struct WakeSocket: Sendable {
    /// The end that becomes readable.
    let descriptor: Int32
    private let other: Int32

    /// The descriptors of both ends.
    var descriptors: [Int32] { [descriptor, other] }

    /// Creates the socket pair; `nil` with `errno` set if the system has no descriptors left.
    init?() {
        guard let (descriptor, other) = StreamSocket.makePair() else { return nil }
        self.descriptor = descriptor
        self.other = other
    }

    /// Makes the descriptor readable.
    func wake() {
        var byte: UInt8 = 1
        // A full queue means that the thread will wake anyway.
        _ = write(other, &byte, 1)
    }

    /// Makes the descriptor unreadable until the next ``wake()``.
    func clear() {
        withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
            while read(descriptor, buffer.baseAddress, buffer.count) == buffer.count {}
        }
    }

    /// Closes both ends.
    func release() {
        close(descriptor)
        close(other)
    }
}
