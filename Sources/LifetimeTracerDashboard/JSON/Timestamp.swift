import LifetimeTracer

/// A wall-clock time as ISO 8601 in UTC with milliseconds: `2026-11-21T02:00:00.000Z`.
struct Timestamp: JSONWritable {
    private let text: String

    init(_ time: WallTime) {
        // Rounded down, so that no time lies in the future.
        let milliseconds = time.nanosecondsSince1970.flooredQuotient(1_000_000)
        let seconds = milliseconds.flooredQuotient(1000)
        let days = seconds.flooredQuotient(86_400)
        let (year, month, day) = Self.civil(fromDays: days)
        let second = seconds - days * 86_400
        text =
            "\(year.digits(4))-\(month.digits(2))-\(day.digits(2))T\((second / 3600).digits(2)):"
            + "\((second / 60 % 60).digits(2)):\((second % 60).digits(2)).\((milliseconds - seconds * 1000).digits(3))Z"
    }

    func write(to writer: inout JSONWriter) {
        writer.text(text)
    }

    /// Returns the date of a day counted from 1970-01-01, in the proleptic Gregorian calendar.
    ///
    /// This is Howard Hinnant's `civil_from_days`, https://howardhinnant.github.io/date_algorithms.html. Years begin in
    /// March, so the leap day is the last day of its year. Years are counted within eras of 400 years.
    private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
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
    fileprivate func flooredQuotient(_ divisor: Int64) -> Int64 {
        self / divisor - (self % divisor < 0 ? 1 : 0)
    }

    /// Returns the number with leading zeros, to at least `count` digits.
    fileprivate func digits(_ count: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, count - digits.count)) + digits
    }
}
