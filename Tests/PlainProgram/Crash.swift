#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Crashes when it dies.
private final class PlainFuse {
    deinit { Crash.trap() }
}

/// The end of the program by a trap, after which Swift prints the stacks of all threads.
enum Crash {
    static func crash(inDeinit: Bool) {
        fflush(nil)
        waitForStartOfThreads()
        if inDeinit { release(PlainFuse()) } else { trap() }
    }

    /// Consumes the last reference.
    @inline(never)
    private static func release(_ fuse: consuming PlainFuse) {}

    @inline(never)
    fileprivate static func trap() {
        let numbers: [Int] = []
        print(numbers[Int(CommandLine.argc)])
    }

    /// Waits for a minute at most until Swift's crash reporter can suspend all threads by a signal.
    ///
    /// C's library starts each thread with all signals blocked.
    private static func waitForStartOfThreads() {
        var rounds = 0
        while rounds < 60_000, aThreadCannotBeSuspended() {
            rounds += 1
            // No event tells that a thread has unblocked its signals.
            usleep(1000)
        }
    }

    private static func aThreadCannotBeSuspended() -> Bool {
        guard let folder = opendir("/proc/self/task") else { return false }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                // Safe: the name is bytes with a zero at the end, within its field.
                name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
                    String(cString: $0)
                }
            }
            if blocksSuspension("/proc/self/task/\(name)/status") { return true }
        }
        return false
    }

    /// Whether the status of a thread says that the thread blocks each signal that the crash reporter sends.
    private static func blocksSuspension(_ statusPath: String) -> Bool {
        guard let file = fopen(statusPath, "r") else { return false }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                .split(whereSeparator: \.isWhitespace)
            guard words.first == "SigBlk:" else { continue }
            let blocked = words.last.flatMap { UInt64($0, radix: 16) } ?? 0
            return [SIGUSR1, SIGUSR2, SIGPROF].allSatisfy { blocked & 1 << UInt64($0 - 1) != 0 }
        }
        return false
    }
}
