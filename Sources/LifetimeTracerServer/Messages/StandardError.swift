#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Writes human-readable lines to standard error.
package enum StandardError {
    /// Writes `LifetimeTracer: ` and the text as one line in a single call, so that lines of several threads do not
    /// mix.
    package static func writeLine(_ text: String) {
        let line = Array("LifetimeTracer: \(text)\n".utf8)
        // A failure is ignored, because there is nowhere to report it.
        _ = write(STDERR_FILENO, line, line.count)
    }
}
