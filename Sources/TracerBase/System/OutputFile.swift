#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The identity of the file behind standard error.
///
/// A program may close its standard error and open another file, which then has the same number.
struct OutputFile: Sendable, Equatable {
    private let device: UInt64
    private let number: UInt64

    /// The file behind standard error now; `nil` if there is none.
    static var standardError: OutputFile? {
        var status = stat()
        guard fstat(STDERR_FILENO, &status) == 0 else { return nil }
        return OutputFile(device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
    }
}
