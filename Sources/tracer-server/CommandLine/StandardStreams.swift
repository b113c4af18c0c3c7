#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Standard output and standard error, a line at a time and nothing kept back.
enum StandardStreams {
    /// Prints a line, so that a program that reads along has it at once.
    static func print(_ line: String) {
        write(line, to: STDOUT_FILENO)
    }

    /// Prints a line on standard error, one line whatever is in it.
    static func printError(_ line: String) {
        write(line.harmless, to: STDERR_FILENO)
    }

    private static func write(_ line: String, to descriptor: Int32) {
        let bytes = Array((line + "\n").utf8)
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { writeBytes(descriptor, $0.baseAddress, $0.count) }
            // Nobody reads: there is nobody to tell, either.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

extension String {
    /// The same without control characters, which a terminal would obey: for texts that come from elsewhere.
    var harmless: String {
        String(
            String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 })
        )
    }
}

private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    var result = write(descriptor, bytes, count)
    while result < 0, errno == EINTR { result = write(descriptor, bytes, count) }
    return result
}
