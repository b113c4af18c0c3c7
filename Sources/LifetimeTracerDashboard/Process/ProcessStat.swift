#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The fields of `/proc/self/stat`; see proc(5).
struct ProcessStat: Sendable {
    private let texts: [String]

    /// Reads the file; `nil` if it cannot be read.
    static func fields() -> Self? {
        guard let file = fopen("/proc/self/stat", "re") else { return nil }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = buffer.withUnsafeMutableBytes { fread($0.baseAddress, 1, $0.count, file) }
        // The second field is the name in parentheses and can contain any characters, so the fields are counted from
        // its end.
        guard let end = buffer[..<count].lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let rest = buffer[(end + 1)..<count].split(separator: UInt8(ascii: " "))
        return Self(texts: rest.map { String(decoding: $0, as: UTF8.self) })
    }

    /// Returns the field with this number, counted as in proc(5); the first readable field is 3.
    func number(_ field: Int) -> Double? {
        texts.indices.contains(field - 3) ? Double(texts[field - 3]) : nil
    }
}
#endif
