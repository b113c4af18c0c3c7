import Testing
import TracerBase

@Suite struct GroupedNumberTests {
    @Test(arguments: [
        (0, "0"), (999, "999"), (1000, "1,000"), (1151, "1,151"), (100_000, "100,000"), (1_234_567, "1,234,567"),
        (-999, "-999"), (-1151, "-1,151"), (Int.max, "9,223,372,036,854,775,807"),
        (Int.min, "-9,223,372,036,854,775,808"),
    ])
    func thousandsAreSeparated(number: Int, text: String) {
        #expect(number.grouped == text)
    }
}
