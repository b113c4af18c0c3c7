import Dispatch

/// A moment on a clock that never goes back, in nanoseconds.
struct MonotonicInstant: Comparable, Sendable {
    let nanoseconds: UInt64

    /// This moment.
    static var now: Self { Self(nanoseconds: DispatchTime.now().uptimeNanoseconds) }

    /// The moment that much later.
    func advanced(by duration: Duration) -> Self {
        Self(nanoseconds: nanoseconds + duration.clampedNanoseconds)
    }

    /// Whole milliseconds up to that moment, rounded up, as `poll` takes them; 0 if it has passed.
    func milliseconds(until moment: Self) -> Int32 {
        guard moment > self else { return 0 }
        return Int32(clamping: (moment.nanoseconds - nanoseconds + 999_999) / 1_000_000)
    }

    static func < (left: Self, right: Self) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

extension Duration {
    /// Nanoseconds, from 0 to a year: enough for every limit, and too little to overflow anything.
    var clampedNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return UInt64(min(seconds, 365 * 24 * 3600)) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}
