import Glibc
import Patience

/// The system's data about this process.
enum ProcessTable {
    /// The open descriptors, without the one with which this property reads them.
    static var descriptors: [Int32] {
        guard let folder = opendir("/proc/self/fd") else { return [] }
        defer { closedir(folder) }
        let own = dirfd(folder)
        return numbers(in: folder).filter { $0 != own }
    }

    /// The open descriptors that are sockets.
    ///
    /// Unlike ``descriptors``, unaffected by files that another thread has open for a moment.
    static var sockets: [Int32] {
        descriptors.filter { descriptor in
            var status = stat()
            return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
        }
    }

    /// The ids of the threads.
    static var threads: [Int32] {
        guard let folder = opendir("/proc/self/task") else { return [] }
        defer { closedir(folder) }
        return numbers(in: folder)
    }

    /// The number of voluntary context switches of each of the threads, which stays the same while a thread sleeps.
    static func sleeps(of threads: Set<Int32>) -> [Int32: Int] {
        var sleeps: [Int32: Int] = [:]
        for thread in threads {
            sleeps[thread] = field("voluntary_ctxt_switches", ofThread: thread).flatMap { Int($0) }
        }
        return sleeps
    }

    /// Waits until all threads but the calling one sleep; false if ``Patience`` ends first.
    static func waitUntilOtherThreadsSleep() -> Bool {
        let clock = ContinuousClock()
        let deadline = clock.now + Patience.limit
        // The calling thread is awake.
        while threads.count(where: isAwake) > 1 {
            guard clock.now < deadline else { return false }
            usleep(1000)
        }
        return true
    }

    /// The size of the address space in kilobytes.
    ///
    /// A thread that ended and was not joined keeps its stack.
    static var addressSpace: Int {
        field("VmSize", ofThread: getpid()).flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }

    /// The signals that a thread blocks; bit 0 is signal 1.
    static func blockedSignals(ofThread thread: Int32) -> UInt64 {
        field("SigBlk", ofThread: thread).flatMap { UInt64($0, radix: 16) } ?? 0
    }

    /// Whether a thread runs, or waits for a processor or a disk; false if the thread has ended.
    private static func isAwake(_ thread: Int32) -> Bool {
        guard let state = field("State", ofThread: thread) else { return false }
        return !state.hasPrefix("S")
    }

    private static func field(_ name: String, ofThread thread: Int32) -> String? {
        guard let file = fopen("/proc/self/task/\(thread)/status", "r") else { return nil }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 8192)
        let count = fread(&buffer, 1, buffer.count, file)
        let lines = String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n")
        return lines.first { $0.hasPrefix(name + ":") }.map { String($0.drop { $0 != "\t" }.dropFirst()) }
    }

    private static func numbers(in folder: OpaquePointer) -> [Int32] {
        var numbers: [Int32] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let number = Int32(name) { numbers.append(number) }
        }
        return numbers.sorted()
    }
}

/// The file access rights of a test.
enum FileRights {
    /// Runs a body as a user without special rights, even if root runs the tests.
    ///
    /// `setfsuid`, which Swift does not import, affects only the current thread.
    static func asNobody<Result>(_ body: () -> Result) -> Result {
        guard geteuid() == 0, let symbol = dlsym(nil, "setfsuid") else { return body() }
        let setFileUser = unsafeBitCast(symbol, to: (@convention(c) (uid_t) -> Int32).self)
        _ = setFileUser(65534)
        defer { _ = setFileUser(0) }
        return body()
    }
}
