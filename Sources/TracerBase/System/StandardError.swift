#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Writes human-readable text to standard error.
package enum StandardError {
    /// Where the messages go: to whatever file is standard error, or to one certain file, if there was one.
    private enum Destination {
        case any
        case only(FileIdentity?)
    }

    /// `nonisolated(unsafe)` is safe because only ``keepToItsFile()`` writes the variable, before the tracer starts
    /// threads.
    nonisolated(unsafe) private static var destination = Destination.any

    /// Drops messages from now on while standard error is not the file that it is now.
    ///
    /// A program that knows nothing of the tracer may close its standard error and open a file of its own, which then
    /// has the same number. Call it before the tracer starts threads.
    package static func keepToItsFile() {
        destination = .only(FileIdentity(of: STDERR_FILENO))
    }

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
        if case .only(let file) = destination, file == nil || FileIdentity(of: STDERR_FILENO) != file { return }
        try? DescriptorWriting.write(Array(text.utf8), to: STDERR_FILENO, waits: false)
    }
}
