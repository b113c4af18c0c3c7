/// A clock that advances only on request.
///
/// After ``advance(by:)`` call ``LifetimeRegistry/check()``, so that the registry checks its deadlines.
public final class ManualClock: TracerClock {
    private let elapsed = Locked(UInt64(0))
    private let start: WallTime

    /// Creates a clock.
    ///
    /// - Parameter start: The time of day at which the clock starts.
    public init(start: WallTime = WallTime(since1970: .seconds(1_700_000_000))) {
        self.start = start
    }

    /// Always false: the clock advances only on request.
    public var runsByItself: Bool { false }

    /// The time by which the clock has been advanced.
    public func now() -> MonotonicTime {
        MonotonicTime(nanoseconds: elapsed.withLock { $0 })
    }

    /// The time of day: the start plus the time by which the clock has been advanced.
    public func wallNow() -> WallTime {
        start + (now() - MonotonicTime(nanoseconds: 0))
    }

    /// Advances the clock.
    ///
    /// - Parameter duration: The time to advance by; must not be negative.
    public func advance(by duration: Duration) {
        precondition(duration >= .zero, "a clock cannot be set back: \(duration)")
        elapsed.withLock { $0 += UInt64(duration.wholeNanoseconds) }
    }
}
