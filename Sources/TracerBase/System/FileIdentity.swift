#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The identity of the file that a descriptor is open on, which tells a reused descriptor from its predecessor.
package struct FileIdentity: Equatable, Sendable {
    private let device: dev_t
    private let inode: ino_t

    /// The file that the descriptor is open on; `nil` if the descriptor is closed.
    package init?(of descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        device = status.st_dev
        inode = status.st_ino
    }
}
