#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The limits that the system sets to the process, in words: which of them is in the way, and what to do about it.
package enum ProcessLimits {
    /// Why there is no more memory: the limits that are set, and how much is left of each.
    package static var memory: String {
        let size = addressSpaceInUse
        var reasons: [String] = []
        if let limit = limit(of: .addressSpace) {
            let rest = size.map { ", of which \(megabytes(limit > $0 ? limit - $0 : 0)) are left" } ?? ""
            reasons.append(
                "The address space of the program is limited to \(megabytes(limit))\(rest); "
                    + "raise that limit (ulimit -v, LimitAS= of systemd).")
        }
        if let limit = limit(of: .data) {
            reasons.append(
                "The data of the program are limited to \(megabytes(limit)); "
                    + "raise that limit (ulimit -d, LimitDATA= of systemd).")
        }
        guard reasons.isEmpty else { return reasons.joined(separator: " ") }
        return "Leave more memory (the container's limit of memory), allow overcommit (vm.overcommit_memory), "
            + "or allow more mappings (vm.max_map_count)."
    }

    /// Why there are no more threads and processes: the limits that are set.
    package static var threads: String {
        var reasons: [String] = []
        if let limit = limit(of: .processes) {
            reasons.append(
                "The user may have \(limit) processes and threads; "
                    + "raise that limit (ulimit -u, LimitNPROC= or TasksMax= of systemd, the container's limit of processes)."
            )
        } else {
            reasons.append(
                "Allow more processes and threads (TasksMax= of systemd, the container's limit of processes).")
        }
        if isMemoryLimited { reasons.append(memory) }
        return reasons.joined(separator: " ")
    }

    /// Why there are no more descriptors.
    package static var descriptors: String {
        let number = limit(of: .descriptors).map { "\($0)" } ?? "they"
        return "The program may have \(number) files and sockets open, and has; "
            + "close some, or raise that limit (ulimit -n, LimitNOFILE= of systemd)."
    }

    /// What to do where a system call was refused.
    ///
    /// - Parameter error: Its error number.
    package static func reason(for error: CInt) -> String {
        switch error {
        case ENOMEM: memory
        case EAGAIN: threads
        case EMFILE: descriptors
        case ENFILE: "All programs together have as many files open as the system allows; raise fs.file-max."
        default: "The system says: \(String(cString: strerror(error))) (error \(error))."
        }
    }

    /// Whether an error number says that something has run out, which may be different at another time.
    package static func isShortage(_ error: CInt) -> Bool {
        [ENOMEM, EAGAIN, EMFILE, ENFILE].contains(error)
    }

    /// Whether the memory of the process is limited by something that it can see.
    package static var isMemoryLimited: Bool { limit(of: .addressSpace) != nil || limit(of: .data) != nil }

    /// Whether so many bytes more can be had at this moment.
    ///
    /// A program cannot go on where memory for one of Swift's objects is refused. To look before something large is begun makes that
    /// unlikely: another thread may take the memory meanwhile.
    package static func hasRoom(for bytes: Int) -> Bool {
        // Without a limit the system promises more than there is, and the look would say nothing.
        guard isMemoryLimited else { return true }
        guard let start = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0), start != MAP_FAILED
        else { return false }
        munmap(start, bytes)
        return true
    }

    private enum Resource { case addressSpace, data, descriptors, processes }

    /// The soft limit; `nil` where there is none.
    private static func limit(of resource: Resource) -> UInt64? {
        #if canImport(Glibc)
        let names = (RLIMIT_AS, RLIMIT_DATA, RLIMIT_NOFILE, __RLIMIT_NPROC)
        func number(_ name: __rlimit_resource) -> __rlimit_resource_t { __rlimit_resource_t(name.rawValue) }
        #else
        let names = (RLIMIT_AS, RLIMIT_DATA, RLIMIT_NOFILE, RLIMIT_NPROC)
        func number(_ name: CInt) -> CInt { name }
        #endif
        let resource =
            switch resource {
            case .addressSpace: number(names.0)
            case .data: number(names.1)
            case .descriptors: number(names.2)
            case .processes: number(names.3)
            }
        var limit = rlimit()
        // "Unlimited" is the largest number of an unsigned word, on Darwin of a signed one.
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < rlim_t(Int64.max) else { return nil }
        return UInt64(limit.rlim_cur)
    }

    /// The first number in /proc/self/statm, in pages; `nil` where that cannot be read.
    private static var addressSpaceInUse: UInt64? {
        let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var text = [UInt8](repeating: 0, count: 128)
        let count = read(file, &text, text.count)
        guard count > 0 else { return nil }
        let pages = text[..<count].prefix { $0 != 0x20 }
        return UInt64(String(decoding: pages, as: UTF8.self)).map { $0 * UInt64(sysconf(CInt(_SC_PAGESIZE))) }
    }

    private static func megabytes(_ bytes: UInt64) -> String { "\(bytes >> 20) MB" }
}
