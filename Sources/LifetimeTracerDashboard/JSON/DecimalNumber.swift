import LifetimeTracer
import TracerBase

/// A number with up to three decimals, without the rounding errors of binary fractions: `3.2`, `2`, `-0.001`.
struct DecimalNumber: JSONWritable, Equatable {
    private let thousandths: Int64

    private init(thousandths: Int64) {
        self.thousandths = thousandths
    }

    /// Creates a number from a finite one, rounded to thousandths and clamped to the representable range.
    init(_ number: Double) {
        thousandths = Int64(clamping: Int(max(-1e15, min(1e15, number * 1000)).rounded()))
    }

    /// Returns a duration in seconds, rounded to milliseconds.
    static func seconds(_ duration: Duration) -> Self {
        Self(thousandths: duration.wholeNanoseconds.roundedQuotient(1_000_000))
    }

    /// Returns the seconds from one time to another, rounded to milliseconds.
    static func seconds(from earlier: MonotonicTime, to later: MonotonicTime) -> Self {
        // Clock times are far from the bounds of the numbers.
        let passed = Int64(truncatingIfNeeded: later.nanoseconds &- earlier.nanoseconds)
        return Self(thousandths: passed.roundedQuotient(1_000_000))
    }

    /// Returns a duration in milliseconds, rounded to microseconds.
    static func milliseconds(_ duration: Duration) -> Self {
        Self(thousandths: duration.wholeNanoseconds.roundedQuotient(1000))
    }

    func write(to writer: inout JSONWriter) {
        let (whole, fraction) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
        // A sign, 16 digits, a point and three digits.
        writer.number(atMost: 21) { place in
            var count = 0
            if thousandths < 0 {
                place.pointee = UInt8(ascii: "-")
                count = 1
            }
            count += (place + count).writeDecimal(whole)
            guard fraction > 0 else { return count }
            place[count] = UInt8(ascii: ".")
            count += 1
            count += (place + count).writeDecimal(fraction, atLeast: 3)
            while place[count - 1] == UInt8(ascii: "0") { count -= 1 }
            return count
        }
    }
}

extension Int64 {
    /// Returns the quotient rounded to the nearest whole number, halves away from zero.
    fileprivate func roundedQuotient(_ divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        guard remainder.magnitude * 2 >= divisor.magnitude else { return quotient }
        return quotient + signum()
    }
}
