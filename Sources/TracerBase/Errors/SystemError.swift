#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// An error of the system: a value of `errno`.
package struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The value of `errno`.
    package let number: CInt

    /// Creates the error with a number.
    package init(_ number: CInt) {
        self.number = number
    }

    /// The error of the last failed call of the system on this thread.
    package static var last: Self { Self(errno) }

    /// The system's text: `No such file or directory`.
    package var text: String {
        var buffer = [CChar](repeating: 0, count: 128)
        // Unlike `strerror`, this writes to no memory that other threads use.
        _ = strerror_r(number, &buffer, buffer.count)
        let text = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return text.isEmpty ? "unknown error" : text
    }

    /// Whether the error is a shortage of memory, threads or descriptors, which may be over later.
    package var isShortage: Bool { [ENOMEM, EAGAIN, EMFILE, ENFILE].contains(number) }

    /// The system's text with the number: `No such file or directory (errno 2)`.
    package var description: String { "\(text) (errno \(number))" }
}
