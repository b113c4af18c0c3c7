import LifetimeTracer
import TracerBase

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The start time of this process.
enum ProcessStart {
    /// Returns the wall-clock time of the start, to a hundredth of a second; `nil` if the system has no `/proc`.
    static func time() -> WallTime? {
        #if os(Linux)
        guard let ticks = ProcessStat.fields()?.number(22).map({ Int64($0) }),
            case let perSecond = Int64(sysconf(Int32(_SC_CLK_TCK))), perSecond > 0
        else {
            return nil
        }
        // The kernel counts from boot and includes the time for which the machine slept.
        let age = read(CLOCK_BOOTTIME) - ticks * (1_000_000_000 / perSecond)
        return WallTime(nanosecondsSince1970: read(CLOCK_REALTIME) - max(0, age))
        #else
        return nil
        #endif
    }

    #if os(Linux)
    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
    #endif
}
