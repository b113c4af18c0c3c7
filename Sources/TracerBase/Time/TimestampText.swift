/// Points in time as ISO 8601 in UTC.
package enum TimestampText {
    /// Returns a time with milliseconds, rounded down: `2026-11-21T02:00:00.000Z`.
    package static func withMilliseconds(nanosecondsSince1970 nanoseconds: Int64) -> String {
        var bytes: [UInt8] = []
        append(nanosecondsSince1970: nanoseconds, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends a time with milliseconds, as ``withMilliseconds(nanosecondsSince1970:)`` returns it.
    package static func append(nanosecondsSince1970 nanoseconds: Int64, to bytes: inout [UInt8]) {
        let day = CalendarDay(nanosecondsSince1970: nanoseconds)
        // No remainder is negative, because the days are rounded down, and no 64-bit time has a negative year.
        let millisecond = UInt64(nanoseconds.flooredQuotient(1_000_000) - day.days * 86_400_000)
        let second = millisecond / 1000
        day.append(to: &bytes)
        bytes.append(UInt8(ascii: "T"))
        bytes.appendDecimal(second / 3600, atLeast: 2)
        bytes.append(UInt8(ascii: ":"))
        bytes.appendDecimal(second / 60 % 60, atLeast: 2)
        bytes.append(UInt8(ascii: ":"))
        bytes.appendDecimal(second % 60, atLeast: 2)
        bytes.append(UInt8(ascii: "."))
        bytes.appendDecimal(millisecond % 1000, atLeast: 3)
        bytes.append(UInt8(ascii: "Z"))
    }

    /// Returns a time with seconds, rounded down, without the zone: `2026-11-21T02:00:00`.
    package static func withSeconds(nanosecondsSince1970 nanoseconds: Int64) -> String {
        let day = CalendarDay(nanosecondsSince1970: nanoseconds)
        let second = nanoseconds.flooredQuotient(1_000_000_000) - day.days * 86_400
        return "\(day)T\((second / 3600).digits(2)):\((second / 60 % 60).digits(2)):\((second % 60).digits(2))"
    }
}
