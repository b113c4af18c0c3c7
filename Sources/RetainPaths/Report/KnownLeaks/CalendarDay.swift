import LifetimeTracer

/// A day in UTC, counted from 1970-01-01.
struct CalendarDay: Sendable, Hashable, Comparable {
    /// The number of days since 1970-01-01.
    let days: Int64

    /// The day that contains a point in time.
    init(_ time: WallTime) {
        let nanosecondsADay: Int64 = 86_400_000_000_000
        let (quotient, remainder) = time.nanosecondsSince1970.quotientAndRemainder(dividingBy: nanosecondsADay)
        days = quotient - (remainder < 0 ? 1 : 0)
    }

    /// Reads `YYYY-MM-DD`; `nil` if the text is not a day of the Gregorian calendar.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
            let day = Self.number(bytes[8..<10]), (1...12).contains(month),
            (1...Self.length(ofMonth: month, in: year)).contains(day)
        else { return nil }
        days = Self.days(year, month, day)
    }

    static func < (left: Self, right: Self) -> Bool {
        left.days < right.days
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }

    private static func length(ofMonth month: Int64, in year: Int64) -> Int64 {
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        switch month {
        case 2: return isLeapYear ? 29 : 28
        case 4, 6, 9, 11: return 30
        default: return 31
        }
    }

    /// Howard Hinnant's `days_from_civil`, https://howardhinnant.github.io/date_algorithms.html: years begin in March,
    /// so that the leap day is the last day of its year, and are counted within eras of 400 years.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        // Years have four digits and are never negative. Only January and February of year 0 are in an earlier era.
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
