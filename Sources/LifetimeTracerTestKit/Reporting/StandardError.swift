#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Writes warnings that a test framework cannot record.
enum StandardError {
    /// Writes a text; a part that cannot be written is lost.
    static func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { posixWrite($0) }
            guard written > 0 else { return }
            bytes = bytes.dropFirst(written)
        }
    }
}

private func posixWrite(_ bytes: UnsafeRawBufferPointer) -> Int {
    write(STDERR_FILENO, bytes.baseAddress, bytes.count)
}
