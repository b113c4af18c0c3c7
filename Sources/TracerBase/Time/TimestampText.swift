/// Points in time as ISO 8601 in UTC.
package enum TimestampText {
    /// Returns a time with milliseconds, rounded down: `2026-11-21T02:00:00.000Z`.
    package static func withMilliseconds(nanosecondsSince1970 nanoseconds: Int64) -> String {
        String(unsafeUninitializedCapacity: length) { buffer in
            var day = DayText()
            return buffer.baseAddress.map { write(nanosecondsSince1970: nanoseconds, to: $0, &day) } ?? 0
        }
    }

    /// The length of a time with milliseconds.
    package static let length = 24

    /// Writes a time with milliseconds, as ``withMilliseconds(nanosecondsSince1970:)`` returns it.
    ///
    /// - Parameters:
    ///   - place: Room for ``length`` bytes.
    ///   - lastDay: The text of the day of the time before.
    /// - Returns: ``length``.
    package static func write(
        nanosecondsSince1970 nanoseconds: Int64, to place: UnsafeMutablePointer<UInt8>, _ lastDay: inout DayText
    ) -> Int {
        let day = CalendarDay(nanosecondsSince1970: nanoseconds)
        // No remainder is negative, because the days are rounded down, and no 64-bit time has a negative year.
        let millisecond = UInt64(nanoseconds.flooredQuotient(1_000_000) - day.days * 86_400_000)
        let second = millisecond / 1000
        lastDay.write(day, to: place)
        place[10] = UInt8(ascii: "T")
        (place + 11).writeTwoDigits(second / 3600)
        place[13] = UInt8(ascii: ":")
        (place + 14).writeTwoDigits(second / 60 % 60)
        place[16] = UInt8(ascii: ":")
        (place + 17).writeTwoDigits(second % 60)
        place[19] = UInt8(ascii: ".")
        place[20] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: millisecond % 1000 / 100)
        (place + 21).writeTwoDigits(millisecond % 100)
        place[23] = UInt8(ascii: "Z")
        return length
    }

    /// Returns a time with seconds, rounded down, without the zone: `2026-11-21T02:00:00`.
    package static func withSeconds(nanosecondsSince1970 nanoseconds: Int64) -> String {
        let day = CalendarDay(nanosecondsSince1970: nanoseconds)
        let second = nanoseconds.flooredQuotient(1_000_000_000) - day.days * 86_400
        return "\(day)T\((second / 3600).digits(2)):\((second / 60 % 60).digits(2)):\((second % 60).digits(2))"
    }
}
