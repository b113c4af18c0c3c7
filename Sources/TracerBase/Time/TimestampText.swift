/// Points in time as ISO 8601 in UTC.
package enum TimestampText {
    /// Returns a time with milliseconds, rounded down: `2026-11-21T02:00:00.000Z`.
    package static func withMilliseconds(nanosecondsSince1970 nanoseconds: Int64) -> String {
        let milliseconds = nanoseconds.flooredQuotient(1_000_000)
        let fraction = milliseconds - milliseconds.flooredQuotient(1000) * 1000
        return "\(withSeconds(nanosecondsSince1970: nanoseconds)).\(fraction.digits(3))Z"
    }

    /// Returns a time with seconds, rounded down, without the zone: `2026-11-21T02:00:00`.
    package static func withSeconds(nanosecondsSince1970 nanoseconds: Int64) -> String {
        let day = CalendarDay(nanosecondsSince1970: nanoseconds)
        let second = nanoseconds.flooredQuotient(1_000_000_000) - day.days * 86_400
        return "\(day)T\((second / 3600).digits(2)):\((second / 60 % 60).digits(2)):\((second % 60).digits(2))"
    }
}
