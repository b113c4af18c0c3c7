#if os(Linux)
import CRetainPaths
import LifetimeTracer

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The threads of the process, and how far down their stacks reach while they wait in the kernel.
struct ThreadStacks {
    /// More threads than are sensible; others are passed over.
    private static let limit = 8192

    private(set) var threads: [rp_thread] = []

    /// Asks the kernel for each thread, some microseconds for each.
    ///
    /// Where /proc cannot be read there are none, and what only stacks hold has no root.
    ///
    /// - Throws: ``RetainPathsError`` where the process has run out of descriptors or memory.
    init() throws(RetainPathsError) {
        guard let folder = opendir("/proc/self/task") else {
            guard ProcessLimits.isShortage(errno) else { return }
            throw .failed(reason: "the threads cannot be listed. \(ProcessLimits.reason(for: errno))")
        }
        defer { closedir(folder) }
        while let entry = readdir(folder), threads.count < Self.limit {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                // The name is a tuple of bytes that ends with a zero, in an entry that stays until the next call.
                tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)) {
                    String(cString: $0)
                }
            }
            guard let id = Int32(name) else { continue }
            threads.append(rp_thread(id: id, stack_pointer: try Self.stackPointer(of: id)))
        }
    }

    /// The name of a thread; `nil` where it has ended.
    static func name(of id: Int32) -> String? {
        guard let bytes = SystemFile.read("/proc/self/task/\(id)/comm") else { return nil }
        return String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    }

    /// The last but one of the words in `syscall`, which of a thread that runs are none (proc_pid_syscall(5)).
    private static func stackPointer(of id: Int32) throws(RetainPathsError) -> UInt {
        guard let bytes = try SystemFile.readIfThere("/proc/self/task/\(id)/syscall") else { return 0 }
        let words = bytes.split(whereSeparator: { $0 == 0x20 || $0 == 0x0A })
        guard words.count >= 3 else { return 0 }
        let digits = words[words.count - 2].dropFirst(2)
        return UInt(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0
    }
}
#endif
