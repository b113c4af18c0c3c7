import TracerBase

/// A point in calendar time.
public struct WallTime: Sendable, Hashable, Comparable {
    /// Nanoseconds since 1970-01-01 00:00:00 UTC.
    package var nanosecondsSince1970: Int64

    /// Creates a point in time from nanoseconds since 1970-01-01 00:00:00 UTC.
    package init(nanosecondsSince1970: Int64) {
        self.nanosecondsSince1970 = nanosecondsSince1970
    }

    /// The day in UTC that contains the point.
    package var day: CalendarDay { CalendarDay(nanosecondsSince1970: nanosecondsSince1970) }

    /// Creates the point that is a duration after 1970-01-01 00:00:00 UTC.
    public init(since1970 duration: Duration) {
        self.init(nanosecondsSince1970: duration.wholeNanoseconds)
    }

    /// The time since 1970-01-01 00:00:00 UTC.
    public var since1970: Duration { .nanoseconds(nanosecondsSince1970) }

    /// Whether `left` is earlier than `right`.
    public static func < (left: Self, right: Self) -> Bool {
        left.nanosecondsSince1970 < right.nanosecondsSince1970
    }

    /// Returns the point that is `duration` after `time`.
    public static func + (time: Self, duration: Duration) -> Self {
        Self(nanosecondsSince1970: time.nanosecondsSince1970 &+ duration.wholeNanoseconds)
    }
}
