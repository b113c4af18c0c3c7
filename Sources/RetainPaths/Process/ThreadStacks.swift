#if os(Linux)
import CRetainPaths
import LifetimeTracer

#if canImport(Musl)
import Musl
#else
import Glibc
import TracerBase
#endif

/// The threads of the process, with the stack pointers of those that wait in the kernel.
struct ThreadStacks {
    /// The largest number of threads.
    ///
    /// Further threads are ignored.
    private static let limit = 8192

    private(set) var threads: [rp_thread] = []

    /// The threads, after those that soon wait have begun to.
    ///
    /// The whole stack of a running thread counts as in use, with all its stale words. Many threads run only for a
    /// moment longer: the thread of a task that awaits the answer, or one that has just ended its work. So if a thread
    /// other than the caller runs, this function looks again, up to three times within two milliseconds.
    static func settled(
        beforeLookingAgain: () -> Void = { usleep(500) }, _ look: () throws(RetainPathsError) -> Self = Self.init
    ) throws(RetainPathsError) -> Self {
        var stacks = try look()
        let own = rp_thread_number()
        for _ in 0..<3 where stacks.threads.contains(where: { $0.id != own && $0.stack_pointer == 0 }) {
            beforeLookingAgain()
            stacks = try look()
        }
        return stacks
    }

    init(threads: [rp_thread]) {
        self.threads = threads
    }

    /// Asks the kernel for each thread, which takes some microseconds per thread.
    ///
    /// If `/proc` cannot be read, the list is empty, and objects that only stacks hold have no root.
    ///
    /// - Throws: ``RetainPathsError`` if the process has run out of descriptors or memory.
    init() throws(RetainPathsError) {
        guard let folder = opendir("/proc/self/task") else {
            let error = SystemError.last
            guard error.isShortage else { return }
            throw .failed(reason: "the threads cannot be listed: \(error). \(ProcessLimits.reason(for: error))")
        }
        defer { closedir(folder) }
        while let entry = readdir(folder), threads.count < Self.limit {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                // Safe: the name is a tuple of bytes that ends with a zero, in an entry that stays valid until the next
                // call.
                tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)) {
                    String(cString: $0)
                }
            }
            guard let id = Int32(name) else { continue }
            threads.append(rp_thread(id: id, stack_pointer: try Self.stackPointer(of: id)))
        }
    }

    /// The name of a thread; `nil` if the thread has ended.
    static func name(of id: Int32) -> String? {
        guard let bytes = try? OpenFile("/proc/self/task/\(id)/comm").bytes(atMost: 64) else { return nil }
        return String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    }

    /// The stack pointer of a thread: the last word but one of its `syscall` file; 0 for a running thread, whose file
    /// has no such words (proc_pid_syscall(5)).
    private static func stackPointer(of id: Int32) throws(RetainPathsError) -> UInt {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try OpenFile("/proc/self/task/\(id)/syscall").bytes(atMost: 512)
        } catch {
            // The thread may have ended, or the kernel may not provide the file.
            guard error.isShortage else { return 0 }
            throw .failed(reason: "the threads cannot be read: \(error). \(ProcessLimits.reason(for: error))")
        }
        let words = bytes.split(whereSeparator: { $0 == 0x20 || $0 == 0x0A })
        guard words.count >= 3 else { return 0 }
        let digits = words[words.count - 2].dropFirst(2)
        return UInt(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0
    }
}
#endif
