#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Standard output and standard error, without a buffer: what is printed is out.
enum StandardStreams {
    /// Prints a line on standard output.
    ///
    /// - Throws: ``OutputFailure`` when the line cannot be written, as on a full disk. When the reader of a pipe has gone,
    ///   SIGPIPE ends the program, as it ends other tools, unless that signal is ignored.
    static func print(_ line: String) throws(OutputFailure) {
        try write(line + "\n")
    }

    /// Writes a text to standard output, in one piece where the system takes it.
    static func write(_ text: String) throws(OutputFailure) {
        let error = write(Array(text.utf8), to: STDOUT_FILENO)
        guard error == 0 else { throw OutputFailure("standard output", error) }
    }

    /// Prints a line on standard error, one line whatever is in it.
    ///
    /// Nobody could be told of a failure.
    static func printError(_ line: String) {
        _ = write(Array((line.harmless + "\n").utf8), to: STDERR_FILENO)
    }

    /// Opens what the program was started without, so that no file or socket gets the number of a standard stream.
    ///
    /// To be called before anything else is opened. Writing to such a stream fails afterwards, too.
    static func reserveDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // Each stream is opened the wrong way round. The lowest free number is this one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Writes all bytes.
    ///
    /// - Returns: 0, or what the system says.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { writeBytes(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                // Another program has made the terminal or pipe non-blocking.
                var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&watched, 1, -1)
                continue
            }
            guard count >= 0 else { return errno }
            rest = rest.dropFirst(count)
        }
        return 0
    }
}

/// A text that could not be written.
struct OutputFailure: Error, Sendable, Equatable, CustomStringConvertible {
    let description: String

    /// - Parameter error: What the system says.
    init(_ place: String, _ error: Int32) {
        description = "cannot write to \(place): \(String(cString: strerror(error)))"
    }
}

private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
