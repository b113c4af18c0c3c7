import Glibc
import LifetimeTracer
import TracerBase

/// Uses up the resources of the process, except for a remainder.
struct Shortage {
    private var mappings: [(start: UnsafeMutableRawPointer, size: Int)] = []
    private var descriptors: [CInt] = []
    private var formerThreadLimit: rlimit?
    let isAny: Bool

    init(_ options: LimitOptions) {
        isAny = options.leftMegabytes != nil || options.leftDescriptors != nil || options.leftThreads != nil
        if let rest = options.leftThreads { limitThreads(to: rest) }
        if let rest = options.leftDescriptors { useUpDescriptors(but: rest) }
        if let rest = options.leftMegabytes { mappings = Self.useUpMemory(but: rest) }
    }

    func end() {
        for mapping in mappings { munmap(mapping.start, mapping.size) }
        for descriptor in descriptors { close(descriptor) }
        if var former = formerThreadLimit { setrlimit(__rlimit_resource_t(__RLIMIT_NPROC.rawValue), &former) }
    }

    /// Maps address space until only some megabytes are left.
    ///
    /// Requires a limit of the address space.
    ///
    /// At least that much is left at every moment: without any memory, the tracer's threads or Swift's runtime would
    /// end the process.
    static func useUpMemory(but megabytes: Int) -> [(start: UnsafeMutableRawPointer, size: Int)] {
        var mappings: [(start: UnsafeMutableRawPointer, size: Int)] = []
        mappings.reserveCapacity(64)
        var rest = leftAddressSpace - (max(megabytes, 1) << 20)
        for shift in stride(from: 28, through: 12, by: -1) {
            while mappings.count < 64, rest >= 1 << shift,
                let start = mmap(nil, 1 << shift, PROT_NONE, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0),
                start != MAP_FAILED
            {
                mappings.append((start, 1 << shift))
                rest -= 1 << shift
            }
        }
        return mappings
    }

    /// What the limit of address space leaves, in bytes.
    private static var leftAddressSpace: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0,
            let size = ProcessLimits.addressSpaceInUse
        else { return 0 }
        return Int(clamping: limit.rlim_cur) - Int(size)
    }

    private mutating func useUpDescriptors(but rest: Int) {
        while case let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC), descriptor >= 0 {
            descriptors.append(descriptor)
        }
        for _ in 0..<min(rest, descriptors.count) { close(descriptors.removeLast()) }
    }

    /// Limits the number of threads and processes to the current number plus a remainder.
    ///
    /// If the process is not ``Privilege/isAlone``, all processes of the user count towards the limit. The limit is
    /// then 0, so that no new thread can start.
    private mutating func limitThreads(to rest: Int) {
        var former = rlimit()
        getrlimit(__rlimit_resource_t(__RLIMIT_NPROC.rawValue), &former)
        formerThreadLimit = former
        let count = Privilege.isAlone ? Leftovers.threadCount + rest : 0
        var limit = rlimit(rlim_cur: rlim_t(count), rlim_max: former.rlim_max)
        setrlimit(__rlimit_resource_t(__RLIMIT_NPROC.rawValue), &limit)
    }
}

/// The user that the process belongs to.
enum Privilege {
    private static let firstUser: uid_t = 200_000
    private static let users: uid_t = 100_000

    /// Whether the user has no other processes.
    static var isAlone: Bool { getuid() >= firstUser && getuid() < firstUser + users }

    /// Changes the user of a root process to a user without other processes, because the limit of threads does not
    /// apply to root.
    static func drop() {
        guard getuid() == 0 else { return }
        let user = firstUser + uid_t(getpid()) % users
        guard setgroups(0, nil) == 0, setgid(user) == 0, setuid(user) == 0 else {
            return say("wrong: root cannot become another user (error \(errno))")
        }
        // Without this call, the files in /proc/self would belong to root.
        becomeDumpable()
    }
}

private func becomeDumpable() {
    // Swift hides variadic functions, but the library contains them. This is the signature of prctl(2).
    typealias Control = @convention(c) (CInt, UInt, UInt, UInt, UInt) -> CInt
    let setDumpable: CInt = 4
    guard let symbol = dlsym(nil, "prctl") else { return }
    _ = unsafeBitCast(symbol, to: Control.self)(setDumpable, 1, 0, 0, 0)
}

/// A thread that repeatedly allocates nearly all memory and frees it again.
struct Squeeze {
    private let isEnding = Locked(false)
    private let hasEnded = Monitor(false)

    init() {
        let thread = try? SystemThread(named: "squeeze") { [isEnding, hasEnded] in
            while !isEnding.withLock({ $0 }) {
                let mappings = Shortage.useUpMemory(but: 12)
                usleep(2_000)
                for mapping in mappings { munmap(mapping.start, mapping.size) }
                usleep(3_000)
            }
            hasEnded.withLock { $0 = true }
        }
        if let thread { thread.detach() } else { hasEnded.withLock { $0 = true } }
    }

    func end() {
        isEnding.withLock { $0 = true }
        hasEnded.wait { $0 ? .holds(()) : .waits(atMost: nil) }
    }
}
