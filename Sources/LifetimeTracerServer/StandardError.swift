#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Standard error, for lines that a person reads.
package enum StandardError {
    /// Writes `LifetimeTracer: ` and the text as one line, in one call, so that lines of several threads do not mix.
    package static func writeLine(_ text: String) {
        let line = Array("LifetimeTracer: \(text)\n".utf8)
        // Nothing can be done, and nobody told, if that fails.
        _ = write(STDERR_FILENO, line, line.count)
    }
}
