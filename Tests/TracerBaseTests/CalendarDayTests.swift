import Testing
import TracerBase

/// Days of the calendar, and texts of points in time.
@Suite struct CalendarDayTests {
    @Test(arguments: [("1900", false), ("2000", true), ("2024", true), ("2026", false), ("2100", false)])
    func calendarDayRespectsLeapYears(year: String, isLeapYear: Bool) {
        #expect((CalendarDay("\(year)-02-29") != nil) == isLeapYear)
        #expect(CalendarDay("\(year)-02-30") == nil)
    }

    @Test(arguments: [
        ("1970-01-01", 0), ("1970-01-02", 1), ("1969-12-31", -1), ("2000-02-29", 11_016), ("2026-11-21", 20_778),
        ("0000-01-01", -719_528), ("9999-12-31", 2_932_896),
    ])
    func textAndNumberOfADayMatch(text: String, days: Int64) throws {
        let day = try #require(CalendarDay(text))
        #expect(day.days == days)
        #expect(CalendarDay(days: days).description == text)
        // A time of day in nanoseconds reaches from 1677 to 2262.
        guard abs(days) < 100_000 else { return }
        let start = days * 86_400_000_000_000
        #expect(CalendarDay(nanosecondsSince1970: start) == day)
        #expect(CalendarDay(nanosecondsSince1970: start + 86_399_999_999_999) == day)
        #expect(CalendarDay(nanosecondsSince1970: start - 1) < day)
    }

    @Test func everyDayOfTenThousandYearsIsReadAsWritten() {
        for days in stride(from: Int64(-719_528), through: 2_932_896, by: 97) {
            let day = CalendarDay(days: days)
            #expect(CalendarDay(day.description) == day)
        }
    }

    @Test(arguments: ["", "2026-1-01", "2026-01-1", "2026/01/01", "26-01-01", "2026-00-01", "2026-13-01", "+026-01-01"])
    func otherTextIsNoDay(text: String) {
        #expect(CalendarDay(text) == nil)
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"), (999_999, "1970-01-01T00:00:00.000Z"),
            (951_782_399_999_000_000, "2000-02-28T23:59:59.999Z"), (Int64.max, "2262-04-11T23:47:16.854Z"),
            (Int64.min, "1677-09-21T00:12:43.145Z"),
        ] as [(Int64, String)])
    func timesAreRoundedDown(nanoseconds: Int64, text: String) {
        #expect(TimestampText.withMilliseconds(nanosecondsSince1970: nanoseconds) == text)
        #expect(TimestampText.withSeconds(nanosecondsSince1970: nanoseconds) == String(text.dropLast(5)))
    }
}
