import LifetimeTracer

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// When this process was started, as far as the system tells.
enum ProcessStart {
    /// The time of day of the start, to a hundredth of a second; `nil` where there is no `/proc`.
    static func time() -> WallTime? {
        #if os(Linux)
        guard let ticks = startTicks(), case let perSecond = Int64(sysconf(Int32(_SC_CLK_TCK))), perSecond > 0 else {
            return nil
        }
        // The kernel counts from boot, including the time that the machine slept.
        let age = read(CLOCK_BOOTTIME) - ticks * (1_000_000_000 / perSecond)
        return WallTime(nanosecondsSince1970: read(CLOCK_REALTIME) - max(0, age))
        #else
        return nil
        #endif
    }

    #if os(Linux)
    /// The 22nd field of `/proc/self/stat`; see proc(5).
    private static func startTicks() -> Int64? {
        guard let file = fopen("/proc/self/stat", "re") else { return nil }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = buffer.withUnsafeMutableBytes { fread($0.baseAddress, 1, $0.count, file) }
        // The second field is the name in parentheses and may hold anything, so fields are counted from its end.
        guard let end = buffer[..<count].lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = buffer[(end + 1)..<count].split(separator: UInt8(ascii: " "))
        guard fields.count > 19 else { return nil }
        return Int64(String(decoding: fields[19], as: UTF8.self))
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
    #endif
}
