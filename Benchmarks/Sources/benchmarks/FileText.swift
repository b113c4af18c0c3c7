#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Reads whole text files.
enum FileText {
    /// A file that cannot be read.
    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }

    static func read(_ path: String) throws(Unreadable) -> String {
        guard let file = fopen(path, "r") else {
            throw Unreadable(description: "'\(path)' cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&part, 1, part.count, file), count > 0 { bytes += part[..<count] }
        guard ferror(file) == 0 else { throw Unreadable(description: "'\(path)' cannot be read to its end") }
        return String(decoding: bytes, as: UTF8.self)
    }
}
