#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The clock of a registry.
///
/// A registry gets its clock as an argument, so that tests can advance time by hand; see ``ManualClock``.
public protocol TracerClock: Sendable {
    /// Returns the current monotonic time.
    ///
    /// Called at every birth, so it should be cheap.
    func now() -> MonotonicTime

    /// Returns the current time of day.
    func wallNow() -> WallTime

    /// Whether the clock advances by itself, so that a thread can wait for a point in time.
    var runsByItself: Bool { get }
}

/// The system's clocks: `CLOCK_MONOTONIC` and `CLOCK_REALTIME`.
public struct SystemClock: TracerClock {
    /// Creates the clock.
    public init() {}

    /// Always true.
    public var runsByItself: Bool { true }

    /// Returns the monotonic time from `CLOCK_MONOTONIC`.
    public func now() -> MonotonicTime {
        MonotonicTime(nanoseconds: UInt64(Self.read(CLOCK_MONOTONIC)))
    }

    /// Returns the time of day from `CLOCK_REALTIME`.
    public func wallNow() -> WallTime {
        WallTime(nanosecondsSince1970: Self.read(CLOCK_REALTIME))
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
