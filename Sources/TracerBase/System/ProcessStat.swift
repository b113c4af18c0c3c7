#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The fields of `/proc/PID/stat`; see proc(5).
package struct ProcessStat: Sendable {
    /// The name of the program, at most 15 bytes, or what the process has named itself.
    package let name: [UInt8]
    /// The fields from number 3 on, with spaces between them.
    private let text: [UInt8]

    /// Reads the file of this process; `nil` if it cannot be read.
    package static func fields() -> Self? { Self(path: "/proc/self/stat") }

    /// Reads the file of another process; `nil` if the process does not exist.
    package static func fields(of process: Int32) -> Self? { Self(path: "/proc/\(process)/stat") }

    private init?(path: String) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        let text = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
            count = max(0, read(file, buffer.baseAddress, buffer.count))
        }
        // The second field is the name in parentheses and can contain any characters, so the fields are counted from
        // its end.
        guard let start = text.firstIndex(of: UInt8(ascii: "(")), let end = text.lastIndex(of: UInt8(ascii: ")")),
            start < end
        else { return nil }
        name = Array(text[(start + 1)..<end])
        self.text = Array(text.dropFirst(end + 2))
    }

    /// Whether the process has ended, and only its exit status is left.
    package var hasEnded: Bool { text.first == UInt8(ascii: "Z") || text.first == UInt8(ascii: "X") }

    /// Returns the field with this number, counted as in proc(5); the first readable field is 3.
    package func number(_ field: Int) -> Double? {
        var rest = text[...]
        for _ in 3..<field {
            guard let space = rest.firstIndex(of: UInt8(ascii: " ")) else { return nil }
            rest = rest[(space + 1)...]
        }
        return Double(String(decoding: rest.prefix { $0 > UInt8(ascii: " ") }, as: UTF8.self))
    }
}
#endif
