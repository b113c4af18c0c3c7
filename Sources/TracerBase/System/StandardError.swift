#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Writes human-readable text to standard error.
package enum StandardError {
    /// Writes `LifetimeTracer: ` and the printable form of a text as one line.
    ///
    /// In general this is a single call of the system, so that lines of several threads do not mix.
    package static func writeLine(_ text: String) {
        write("LifetimeTracer: \(text.printable)\n")
    }

    /// Writes a text as it is.
    ///
    /// A part that cannot be written is lost, because there is nowhere to report it.
    package static func write(_ text: String) {
        try? DescriptorWriting.write(Array(text.utf8), to: STDERR_FILENO, waits: false)
    }
}
