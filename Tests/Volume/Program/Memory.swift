import CMalloc
import Glibc

/// How much memory the process uses.
struct Memory {
    /// Bytes that are allocated and not freed.
    let allocated: Int
    /// Bytes of the process that are in memory; `nil` under a sanitizer, which keeps what is freed for a while.
    let resident: Int?

    /// Whether a sanitizer's allocator is in the place of glibc's, whose figures know nothing then.
    static let isOfSanitizer = sanitizerFigure != nil

    // Safe because it is written once and points to code.
    nonisolated(unsafe) private static let sanitizerFigure = dlsym(nil, "__sanitizer_get_current_allocated_bytes")

    static func now() -> Memory {
        if let sanitizerFigure {
            // Safe because this is its signature in sanitizer/allocator_interface.h.
            let allocated = unsafeBitCast(sanitizerFigure, to: (@convention(c) () -> Int).self)
            return Memory(allocated: allocated(), resident: nil)
        }
        let figures = mallinfo2()
        return Memory(allocated: Int(figures.uordblks) + Int(figures.hblkhd), resident: residentBytes())
    }

    /// The second figure of `/proc/self/statm`, see proc(5).
    private static func residentBytes() -> Int? {
        guard let file = fopen("/proc/self/statm", "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, Int32(line.count), file) != nil else { return nil }
        let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(
            separator: " ")
        return words.dropFirst().first.flatMap { Int($0) }.map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
    }
}
