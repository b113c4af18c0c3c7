/// A clock that stands still until it is told to advance.
///
/// After ``advance(by:)`` call ``LifetimeRegistry/check()`` so that the registry looks at its deadlines.
public final class ManualClock: TracerClock {
    private let elapsed = Locked(UInt64(0))
    private let start: WallTime

    /// Creates a clock.
    ///
    /// - Parameter start: The time of day at which it starts.
    public init(start: WallTime = WallTime(nanosecondsSince1970: 1_700_000_000_000_000_000)) {
        self.start = start
    }

    /// Never: it only goes when it is advanced.
    public var runsByItself: Bool { false }

    /// How far it has been advanced.
    public func now() -> MonotonicTime {
        MonotonicTime(nanoseconds: elapsed.withLock { $0 })
    }

    /// The time of day: its start and how far it has been advanced.
    public func wallNow() -> WallTime {
        start + (now() - MonotonicTime(nanoseconds: 0))
    }

    /// Lets time pass.
    ///
    /// - Parameter duration: How much; must not be negative, as time never goes back.
    public func advance(by duration: Duration) {
        precondition(duration >= .zero, "time does not go back: \(duration)")
        elapsed.withLock { $0 += UInt64(duration.wholeNanoseconds) }
    }
}
