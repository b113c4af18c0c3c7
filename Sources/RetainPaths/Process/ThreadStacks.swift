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
            threads.append(try Self.thread(id))
        }
    }

    /// The name of a thread; `nil` if the thread has ended.
    static func name(of id: Int32) -> String? {
        guard let bytes = try? OpenFile("/proc/self/task/\(id)/comm").bytes(atMost: 64) else { return nil }
        return String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    }

    /// A thread, with what the kernel says about its wait.
    ///
    /// The file of a thread that waits contains the number of the system call, the call's arguments, the stack pointer
    /// and the program counter (proc_pid_syscall(5)). The file of a running thread has no such words.
    private static func thread(_ id: Int32) throws(RetainPathsError) -> rp_thread {
        var thread = rp_thread()
        thread.id = id
        thread.system_call = Int32(RP_NO_SYSTEM_CALL)
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try OpenFile("/proc/self/task/\(id)/syscall").bytes(atMost: 512)
        } catch {
            // The thread may have ended, or the kernel may not provide the file.
            guard error.isShortage else { return thread }
            throw .failed(reason: "the threads cannot be read: \(error). \(ProcessLimits.reason(for: error))")
        }
        let words = bytes.split { $0 == 0x20 || $0 == 0x0A }.map { String(decoding: $0, as: UTF8.self) }
        guard words.count >= 3 else { return thread }
        func address(_ index: Int) -> UInt { UInt(words[index].dropFirst(2), radix: 16) ?? 0 }
        thread.stack_pointer = address(words.count - 2)
        // A thread that waits outside a system call has -1, and no arguments.
        guard words.count > 5, let call = Int32(words[0]) else { return thread }
        thread.system_call = call
        thread.arguments = (address(1), address(2), address(3))
        return thread
    }
}
#endif
