import Foundation
import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard

/// The JSON of numbers and times.
@Suite struct ScalarTests {
    @Test(
        arguments: [
            (0, "0"), (1, "0"), (499_999, "0"), (500_000, "0.001"), (1_000_000, "0.001"), (10_000_000, "0.01"),
            (999_499_999, "0.999"), (999_500_000, "1"), (3_200_000_000, "3.2"), (12_345_000_000, "12.345"),
            (-1, "0"), (-499_999, "0"), (-500_000, "-0.001"), (-1_050_000_000, "-1.05"), (100_000_000_000, "100"),
            (Int64.max, "9223372036.855"), (Int64.min, "-9223372036.855"),
        ] as [(Int64, String)])
    func secondsAreRoundedToMilliseconds(_ nanoseconds: Int64, _ text: String) {
        let bytes = DecimalNumber.seconds(.nanoseconds(nanoseconds)).jsonBytes
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"), (999_999, "1970-01-01T00:00:00.000Z"),
            (951_782_399_999_000_000, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000_000_000, "2000-02-29T00:00:00.000Z"),
            (4_107_542_400_000_000_000, "2100-03-01T00:00:00.000Z"),
            (1_795_226_400_000_000_000, "2026-11-21T02:00:00.000Z"),
            (Int64.max, "2262-04-11T23:47:16.854Z"), (Int64.min, "1677-09-21T00:12:43.145Z"),
        ] as [(Int64, String)])
    func timestampIsWrittenInISO8601(_ nanoseconds: Int64, _ text: String) {
        let bytes = Timestamp(WallTime(nanosecondsSince1970: nanoseconds)).jsonBytes
        #expect(String(decoding: bytes, as: UTF8.self) == "\"\(text)\"")
    }

    @Test func timestampsOverFiveCenturiesMatchFoundation() throws {
        let formatter = ISO8601DateFormatter()
        // The step divides no round number of seconds, so that all times of day occur.
        for second in stride(from: Int64(-9_000_000_000), through: 9_000_000_000, by: 7_654_321) {
            let bytes = Timestamp(WallTime(nanosecondsSince1970: second * 1_000_000_000)).jsonBytes
            let expected = formatter.string(from: Date(timeIntervalSince1970: Double(second)))
            #expect(String(decoding: bytes, as: UTF8.self) == "\"\(expected.dropLast()).000Z\"")
        }
    }
}
