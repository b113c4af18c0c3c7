/// A point in time on a monotonic clock, which never goes back.
///
/// Subtract two points to get a duration. Points of different clocks cannot be compared.
public struct MonotonicTime: Sendable, Hashable, Comparable {
    /// Nanoseconds since the clock's start.
    package var nanoseconds: UInt64

    /// Creates a point in time from nanoseconds since the clock's start.
    package init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    /// Creates the point that is a duration after the clock's start; a negative duration counts as 0.
    public init(sinceStart duration: Duration) {
        self.init(nanoseconds: UInt64(max(0, duration.wholeNanoseconds)))
    }

    /// The time since the clock's start, which is arbitrary for the system's clock.
    public var sinceStart: Duration { self - Self(nanoseconds: 0) }

    /// Whether `left` is earlier than `right`.
    public static func < (left: Self, right: Self) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// Returns the point that is `duration` after `time`, clamped to the representable range.
    public static func + (time: Self, duration: Duration) -> Self {
        let offset = duration.wholeNanoseconds
        if offset < 0 {
            let (back, underflow) = time.nanoseconds.subtractingReportingOverflow(offset.magnitude)
            return Self(nanoseconds: underflow ? 0 : back)
        }
        let (sum, overflow) = time.nanoseconds.addingReportingOverflow(UInt64(offset))
        return Self(nanoseconds: overflow ? .max : sum)
    }

    /// Returns the time from `earlier` to `later`; negative if they are in reverse order.
    public static func - (later: Self, earlier: Self) -> Duration {
        later >= earlier
            ? .nanoseconds(Int64(clamping: later.nanoseconds - earlier.nanoseconds))
            : .nanoseconds(-Int64(clamping: earlier.nanoseconds - later.nanoseconds))
    }
}

extension Duration {
    /// The duration in seconds.
    package var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }

    /// The duration in whole nanoseconds, clamped to the representable range (±292 years).
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, sumOverflow) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        return sumOverflow ? (seconds < 0 ? .min : .max) : sum
    }

    /// The human-readable duration: `2 s`, `1.5 s`, `80 ms`.
    package var inWords: String {
        let milliseconds = (inSeconds * 1000).rounded()
        if abs(milliseconds) < 1000 { return "\(Int(milliseconds)) ms" }
        let tenths = (milliseconds / 100).rounded() / 10
        return tenths == tenths.rounded() ? "\(Int(tenths)) s" : "\(tenths) s"
    }
}
