#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Where a registry reads the time.
///
/// The clock is handed in so that tests can advance it by hand; see ``ManualClock``.
public protocol TracerClock: Sendable {
    /// The monotonic time now. Called at every birth: it should cost little.
    func now() -> MonotonicTime

    /// The time of day now.
    func wallNow() -> WallTime

    /// Whether the clock goes by itself, so that waiting for a point in time makes sense.
    var runsByItself: Bool { get }
}

/// The system's clocks: `CLOCK_MONOTONIC` and `CLOCK_REALTIME`.
public struct SystemClock: TracerClock {
    /// Creates the clock.
    public init() {}

    /// Always.
    public var runsByItself: Bool { true }

    /// The monotonic time: `CLOCK_MONOTONIC`.
    public func now() -> MonotonicTime {
        MonotonicTime(nanoseconds: UInt64(Self.read(CLOCK_MONOTONIC)))
    }

    /// The time of day: `CLOCK_REALTIME`.
    public func wallNow() -> WallTime {
        WallTime(nanosecondsSince1970: Self.read(CLOCK_REALTIME))
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
