import Dispatch

/// A point on the monotonic clock, in nanoseconds.
struct MonotonicInstant: Comparable, Sendable {
    let nanoseconds: UInt64

    /// The current time.
    static var now: Self { Self(nanoseconds: DispatchTime.now().uptimeNanoseconds) }

    /// Returns the point that is later by a duration.
    func advanced(by duration: Duration) -> Self {
        advanced(byNanoseconds: duration.clampedNanoseconds)
    }

    /// Returns the point that is later by a number of nanoseconds, at most those of a year.
    func advanced(byNanoseconds count: UInt64) -> Self {
        Self(nanoseconds: nanoseconds + count)
    }

    /// Returns the whole milliseconds until a point in time, rounded up, as `poll` expects them; 0 if it has passed.
    func milliseconds(until moment: Self) -> Int32 {
        guard moment > self else { return 0 }
        return Int32(clamping: (moment.nanoseconds - nanoseconds + 999_999) / 1_000_000)
    }

    static func < (left: Self, right: Self) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

extension Duration {
    /// The duration in nanoseconds, clamped to 0 through one year, which covers every limit and cannot overflow.
    var clampedNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return UInt64(min(seconds, 365 * 24 * 3600)) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}
