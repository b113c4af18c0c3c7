/// Points in time as ISO 8601 in UTC.
package enum TimestampText {
    /// Returns a time with milliseconds, rounded down: `2026-11-21T02:00:00.000Z`.
    package static func withMilliseconds(nanosecondsSince1970 nanoseconds: Int64) -> String {
        String(unsafeUninitializedCapacity: length) { buffer in
            buffer.baseAddress.map { write(nanosecondsSince1970: nanoseconds, to: $0) } ?? 0
        }
    }

    /// The length of a time with milliseconds.
    package static let length = 24

    /// Writes a time with milliseconds, as ``withMilliseconds(nanosecondsSince1970:)`` returns it.
    ///
    /// - Parameter place: Room for ``length`` bytes.
    /// - Returns: ``length``.
    package static func write(nanosecondsSince1970 nanoseconds: Int64, to place: UnsafeMutablePointer<UInt8>) -> Int {
        let day = CalendarDay(nanosecondsSince1970: nanoseconds)
        // No remainder is negative, because the days are rounded down, and no 64-bit time has a negative year.
        let millisecond = UInt64(nanoseconds.flooredQuotient(1_000_000) - day.days * 86_400_000)
        let second = millisecond / 1000
        var count = day.write(to: place)
        func write(_ number: UInt64, digits: Int, then mark: UInt8) {
            count += (place + count).writeDecimal(number, atLeast: digits)
            place[count] = mark
            count += 1
        }
        place[count] = UInt8(ascii: "T")
        count += 1
        write(second / 3600, digits: 2, then: UInt8(ascii: ":"))
        write(second / 60 % 60, digits: 2, then: UInt8(ascii: ":"))
        write(second % 60, digits: 2, then: UInt8(ascii: "."))
        write(millisecond % 1000, digits: 3, then: UInt8(ascii: "Z"))
        return count
    }

    /// Returns a time with seconds, rounded down, without the zone: `2026-11-21T02:00:00`.
    package static func withSeconds(nanosecondsSince1970 nanoseconds: Int64) -> String {
        let day = CalendarDay(nanosecondsSince1970: nanoseconds)
        let second = nanoseconds.flooredQuotient(1_000_000_000) - day.days * 86_400
        return "\(day)T\((second / 3600).digits(2)):\((second / 60 % 60).digits(2)):\((second % 60).digits(2))"
    }
}
