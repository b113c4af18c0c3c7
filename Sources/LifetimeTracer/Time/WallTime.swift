/// A point in calendar time, in nanoseconds since the beginning of 1970 in UTC.
public struct WallTime: Sendable, Hashable, Comparable {
    /// Nanoseconds since 1970-01-01 00:00:00 UTC.
    public var nanosecondsSince1970: Int64

    /// Creates a point in time.
    public init(nanosecondsSince1970: Int64) {
        self.nanosecondsSince1970 = nanosecondsSince1970
    }

    /// Whether `left` is earlier than `right`.
    public static func < (left: Self, right: Self) -> Bool {
        left.nanosecondsSince1970 < right.nanosecondsSince1970
    }

    /// Returns the point that is `duration` after `time`.
    public static func + (time: Self, duration: Duration) -> Self {
        Self(nanosecondsSince1970: time.nanosecondsSince1970 &+ duration.wholeNanoseconds)
    }
}
