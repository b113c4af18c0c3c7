import Testing

@testable import TracerBase

/// The exact values of numbers.
@Suite struct JSONNumberTests {
    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("7.0", 7), ("7.000e0", 7), ("70e-1", 7), ("0.7e1", 7),
            ("7E+2", 700),
            ("9223372036854775807", .max), ("-9223372036854775808", .min), ("9223372036854775807.0", .max),
            ("922337203685477580.7e1", .max), ("0e999999999999999999999", 0), ("0.000", 0), ("1000e-3", 1),
            ("9223372036854775808", nil), ("1e19", nil), ("1e999999999999999999999", nil), ("1e-1", nil), ("0.5", nil),
            ("7.0001", nil), ("15e-1", nil), ("1e40", nil), ("-1e400", nil),
        ] as [(String, Int64?)])
    func integersAreExactOrRefused(text: String, expected: Int64?) {
        #expect(JSONNumber(text: text).integer() == expected)
    }

    @Test func integersMustFitTheirType() {
        #expect(JSONNumber(text: "255").integer(as: UInt8.self) == 255)
        #expect(JSONNumber(text: "256").integer(as: UInt8.self) == nil)
        #expect(JSONNumber(text: "-1").integer(as: UInt64.self) == nil)
        #expect(JSONNumber(text: "-0").integer(as: UInt64.self) == 0)
        #expect(JSONNumber(text: "18446744073709551615").integer(as: UInt64.self) == .max)
        #expect(JSONNumber(text: "1844674407370955161.5e1").integer(as: UInt64.self) == .max)
    }

    @Test func floatingPointNumbersAreFinite() {
        #expect(JSONNumber(text: "-1.5e3").double == -1500)
        #expect(JSONNumber(text: "1e308").double == 1e308)
        #expect(JSONNumber(text: "1e309").double == nil)
        #expect(JSONNumber(text: "1e-400").double == 0)
    }
}
