import CMalloc
import Glibc

/// The memory use of the process.
struct Memory {
    /// The allocated bytes.
    let allocated: Int
    /// The resident bytes of the process; `nil` under a sanitizer, which delays the reuse of freed memory.
    let resident: Int?

    /// Whether a sanitizer's allocator replaces glibc's.
    ///
    /// glibc's figures are then useless.
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

    /// The second number in `/proc/self/statm`, see proc(5).
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
