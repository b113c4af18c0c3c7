import TracerBase

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
    private let files: [FileIdentity?]

    /// The descriptors of both ends.
    var descriptors: [Int32] { [descriptor, other] }

    /// Creates the socket pair; `nil` with `errno` set if the system has no descriptors left.
    init?() {
        guard let (descriptor, other) = StreamSocket.makePair() else { return nil }
        self.descriptor = descriptor
        self.other = other
        files = [FileIdentity(of: descriptor), FileIdentity(of: other)]
    }

    /// Whether both descriptors still belong to the pair.
    ///
    /// A program may close all descriptors, and then use their numbers for its own files.
    var isOpen: Bool { descriptors.map(FileIdentity.init(of:)) == files }

    /// Makes the descriptor readable.
    func wake() {
        guard isOpen else { return }
        var byte: UInt8 = 1
        // A full queue means that the thread will wake anyway.
        _ = send(other, &byte, 1, StreamSocket.sendFlags)
    }

    /// Makes the descriptor unreadable until the next ``wake()``.
    ///
    /// Only sockets can be read in this way, so that a file of the program is never read.
    func clear() {
        withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
            while recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)) == buffer.count {}
        }
    }

    /// Closes both ends.
    func release() {
        close(descriptor)
        close(other)
    }
}
