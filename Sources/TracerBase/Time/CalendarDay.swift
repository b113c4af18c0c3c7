/// A day in UTC of the proleptic Gregorian calendar.
package struct CalendarDay: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number of days since 1970-01-01.
    package let days: Int64

    /// The day with a number, counted from 1970-01-01.
    package init(days: Int64) {
        self.days = days
    }

    /// The day that contains a point in time.
    package init(nanosecondsSince1970 nanoseconds: Int64) {
        days = nanoseconds.flooredQuotient(86_400_000_000_000)
    }

    /// Reads `YYYY-MM-DD`; `nil` if the text is not a day of the calendar.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
            let day = Self.number(bytes[8..<10]), (1...12).contains(month),
            (1...Self.length(ofMonth: month, in: year)).contains(day)
        else { return nil }
        days = Self.days(year, month, day)
    }

    package static func < (left: Self, right: Self) -> Bool {
        left.days < right.days
    }

    /// The date as `YYYY-MM-DD`.
    package var description: String {
        let (year, month, day) = date
        return "\(year.digits(4))-\(month.digits(2))-\(day.digits(2))"
    }

    /// Writes the date of a day with a year from 0 to 9999, as in ``description``; returns its length, which is 10.
    func write(to place: UnsafeMutablePointer<UInt8>) -> Int {
        let (year, month, day) = date
        place.writeTwoDigits(UInt64(year) / 100)
        (place + 2).writeTwoDigits(UInt64(year) % 100)
        place[4] = UInt8(ascii: "-")
        (place + 5).writeTwoDigits(UInt64(month))
        place[7] = UInt8(ascii: "-")
        (place + 8).writeTwoDigits(UInt64(day))
        return 10
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
}

// Howard Hinnant's algorithms, https://howardhinnant.github.io/date_algorithms.html. Years begin in March, so the leap
// day is the last day of its year. Years are counted within eras of 400 years.
extension CalendarDay {
    /// `days_from_civil`: returns the number of a day.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted.flooredQuotient(400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// `civil_from_days`: the year, the month and the day of the month.
    private var date: (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = shifted.flooredQuotient(146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}

extension Int64 {
    /// Returns the quotient rounded down, also for negative numbers.
    func flooredQuotient(_ divisor: Int64) -> Int64 {
        self / divisor - (self % divisor < 0 ? 1 : 0)
    }

    /// Returns the number with leading zeros, to at least `count` digits.
    func digits(_ count: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, count - digits.count)) + digits
    }
}
