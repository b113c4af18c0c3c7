import CTracerSystem
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Describes the system's limits on the process: which limit was reached, and how to raise it.
package enum ProcessLimits {
    /// An explanation for a lack of memory: the limits in force, and the remainder of the address space.
    package static var memory: String {
        let size = addressSpaceInUse
        var reasons: [String] = []
        if let limit = limit(of: .addressSpace) {
            let rest = size.map { ", of which \(megabytes(limit > $0 ? limit - $0 : 0)) are free" } ?? ""
            reasons.append(
                "The address space of the program is limited to \(megabytes(limit))\(rest); "
                    + "raise that limit (ulimit -v, LimitAS= of systemd).")
        }
        if let limit = limit(of: .data) {
            reasons.append(
                "The data segment of the program is limited to \(megabytes(limit)); "
                    + "raise that limit (ulimit -d, LimitDATA= of systemd).")
        }
        guard reasons.isEmpty else { return reasons.joined(separator: " ") }
        return "Raise the container's memory limit, allow overcommit (vm.overcommit_memory), "
            + "or allow more mappings (vm.max_map_count)."
    }

    /// An explanation for a lack of threads and processes: the limits in force.
    package static var threads: String {
        var reasons: [String] = []
        if let limit = limit(of: .processes) {
            reasons.append(
                "The user is limited to \(limit) processes and threads; raise that limit "
                    + "(ulimit -u, LimitNPROC= or TasksMax= of systemd, the container's process limit)."
            )
        } else {
            reasons.append(
                "Allow more processes and threads (TasksMax= of systemd, the container's process limit).")
        }
        if isMemoryLimited { reasons.append(memory) }
        return reasons.joined(separator: " ")
    }

    /// An explanation for a lack of descriptors.
    package static var descriptors: String {
        let number = limit(of: .descriptors).map { "\($0) " } ?? ""
        return "The program has reached its limit of \(number)open files and sockets; "
            + "close some, or raise that limit (ulimit -n, LimitNOFILE= of systemd)."
    }

    /// Returns an explanation for a refused system call.
    package static func reason(for error: SystemError) -> String {
        switch error.number {
        case ENOMEM: memory
        case EAGAIN: threads
        case EMFILE: descriptors
        case ENFILE: "The system has reached its limit of open files; raise fs.file-max."
        default: "The system reports: \(error)."
        }
    }

    /// Whether a limit that the process can read bounds its memory.
    package static var isMemoryLimited: Bool { limit(of: .addressSpace) != nil || limit(of: .data) != nil }

    /// The number of bytes that the tracer leaves to the program, whatever it does.
    package static let reserve = 4 << 20

    /// Whether a number of bytes can be allocated at this moment, and ``reserve`` more.
    ///
    /// A Swift program cannot continue if memory for an object is refused. A check before a large allocation makes that
    /// unlikely, but not impossible: another thread may take the memory meanwhile.
    package static func hasRoom(for bytes: Int) -> Bool {
        // Without a limit the system promises more memory than it has, so the check would be meaningless.
        !isMemoryLimited || canMap(bytes + reserve)
    }

    /// Whether new threads could be started at this moment and leave a number of bytes, and ``reserve`` more.
    ///
    /// A thread takes address space for its stack, and glibc maps some for the blocks that the thread will allocate:
    /// 128 MB, of which it keeps 64 MB (`HEAP_MAX_SIZE` in glibc's malloc/arena.c), or 64 MB, or none if it gets
    /// neither. In that moment the other threads have only what is left.
    package static func hasRoom(forThreads count: Int, stack: Int = usualStack, leaving bytes: Int) -> Bool {
        guard isMemoryLimited else { return true }
        var taken = 0
        for _ in 0..<count {
            taken += stack
            let sizes = isHeapShared.load(ordering: .relaxed) ? [] : [2 * arena, arena]
            let mappedForBlocks = sizes.first { canMap(taken + $0) } ?? 0
            guard canMap(taken + mappedForBlocks + bytes + reserve) else { return false }
            taken += min(mappedForBlocks, arena)
        }
        return true
    }

    /// Lets all threads allocate from one part of the heap, if the memory of the process is limited.
    ///
    /// Otherwise glibc maps up to 128 MB of address space for each new thread, and the process may need more memory the
    /// more it is given. For programs of the tracer's own: threads that allocate then wait for each other.
    package static func shareHeapAmongThreads() {
        guard isMemoryLimited, lt_share_heap_among_threads() else { return }
        isHeapShared.store(true, ordering: .relaxed)
    }

    private static let isHeapShared = Atomic(false)

    private static let arena = 64 << 20
    /// The usual default of Linux for the stack of a thread, in bytes.
    package static let usualStack = 8 << 20

    private static func canMap(_ bytes: Int) -> Bool {
        guard let start = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0), start != MAP_FAILED
        else { return false }
        munmap(start, bytes)
        return true
    }

    /// The limit of the first thread's stack in bytes; `nil` if there is none.
    package static var stack: UInt64? { limit(of: .stack) }

    private enum Resource { case addressSpace, data, descriptors, processes, stack }

    /// The soft limit; `nil` if there is none.
    private static func limit(of resource: Resource) -> UInt64? {
        #if canImport(Glibc)
        let names = (RLIMIT_AS, RLIMIT_DATA, RLIMIT_NOFILE, __RLIMIT_NPROC, RLIMIT_STACK)
        func number(_ name: __rlimit_resource) -> __rlimit_resource_t { __rlimit_resource_t(name.rawValue) }
        #else
        let names = (RLIMIT_AS, RLIMIT_DATA, RLIMIT_NOFILE, RLIMIT_NPROC, RLIMIT_STACK)
        func number(_ name: CInt) -> CInt { name }
        #endif
        let resource =
            switch resource {
            case .addressSpace: number(names.0)
            case .data: number(names.1)
            case .descriptors: number(names.2)
            case .processes: number(names.3)
            case .stack: number(names.4)
            }
        var limit = rlimit()
        // "Unlimited" is the largest unsigned word, or on Darwin the largest signed one.
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < rlim_t(Int64.max) else { return nil }
        return UInt64(limit.rlim_cur)
    }

    /// The size of the address space in bytes, from the first number in /proc/self/statm; `nil` if the file cannot be
    /// read.
    package static var addressSpaceInUse: UInt64? {
        guard let text = try? OpenFile("/proc/self/statm").bytes(atMost: 128) else { return nil }
        let pages = text.prefix { $0 != 0x20 }
        return UInt64(String(decoding: pages, as: UTF8.self)).map { $0 * UInt64(sysconf(CInt(_SC_PAGESIZE))) }
    }

    private static func megabytes(_ bytes: UInt64) -> String { "\(bytes >> 20) MB" }
}
