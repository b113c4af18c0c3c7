import TracerBase

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Unbuffered standard output and standard error.
enum StandardStreams {
    /// Prints a line on standard output.
    ///
    /// - Throws: ``OutputFailure`` if the line cannot be written, for example because the disk is full. If the reader
    ///   of a pipe has closed it, SIGPIPE ends the program, as with other tools, unless that signal is ignored.
    static func print(_ line: String) throws(OutputFailure) {
        try write(line + "\n")
    }

    /// Writes a text to standard output, if possible with a single call.
    static func write(_ text: String) throws(OutputFailure) {
        do throws(SystemError) {
            try DescriptorWriting.write(Array(text.utf8), to: STDOUT_FILENO)
        } catch {
            throw OutputFailure("standard output", error)
        }
    }

    /// Prints a text on standard error as a single line; line breaks in it are replaced.
    ///
    /// A failure is ignored, because it cannot be reported.
    static func printError(_ line: String) {
        try? DescriptorWriting.write(Array((line.printable + "\n").utf8), to: STDERR_FILENO)
    }

    /// Opens the standard streams that the program was started without, so that no file or socket gets their
    /// descriptors.
    ///
    /// Call it before anything else is opened. Using such a stream still fails.
    ///
    /// - Returns: The descriptors that were closed.
    static func reserveDescriptors() -> [Int32] {
        let closed = (STDIN_FILENO...STDERR_FILENO).filter { fcntl($0, F_GETFD) < 0 }
        for descriptor in closed {
            // Opened for the opposite direction, so that using the stream fails. `open` returns the lowest free
            // descriptor: this one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
        return closed
    }
}

/// The error for a text that could not be written.
struct OutputFailure: Error, Sendable, Equatable, CustomStringConvertible {
    let description: String

    init(_ place: String, _ error: SystemError) {
        description = "cannot write to \(place): \(error)"
    }
}
