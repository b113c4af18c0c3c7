#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The fields of `/proc/self/stat`; see proc(5).
struct ProcessStat: Sendable {
    /// The fields from number 3 on, with spaces between them.
    private let text: [UInt8]

    /// Reads the file; `nil` if it cannot be read.
    static func fields() -> Self? {
        let file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        let text = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
            count = max(0, read(file, buffer.baseAddress, buffer.count))
        }
        // The second field is the name in parentheses and can contain any characters, so the fields are counted from
        // its end.
        guard let end = text.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        return Self(text: Array(text.dropFirst(end + 2)))
    }

    /// Returns the field with this number, counted as in proc(5); the first readable field is 3.
    func number(_ field: Int) -> Double? {
        var rest = text[...]
        for _ in 3..<field {
            guard let space = rest.firstIndex(of: UInt8(ascii: " ")) else { return nil }
            rest = rest[(space + 1)...]
        }
        return Double(String(decoding: rest.prefix { $0 > UInt8(ascii: " ") }, as: UTF8.self))
    }
}
#endif
