#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Wakes a thread that waits in `poll`, from any other thread.
///
/// Whoever makes one calls ``release()`` once no thread uses it any more.
struct WakeSocket: Sendable {
    /// What becomes readable.
    let descriptor: Int32
    private let other: Int32

    /// The descriptors of both ends.
    var descriptors: [Int32] { [descriptor, other] }

    /// Makes a pair of sockets; `nil` with `errno` set where there is no descriptor left.
    init?() {
        guard let (descriptor, other) = StreamSocket.makePair() else { return nil }
        self.descriptor = descriptor
        self.other = other
    }

    /// Makes the descriptor readable.
    func wake() {
        var byte: UInt8 = 1
        // Where the queue is full, the thread is woken anyway.
        _ = write(other, &byte, 1)
    }

    /// Makes the descriptor wait for the next ``wake()``.
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
