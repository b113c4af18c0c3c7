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

    /// Returns a duration in milliseconds, rounded to microseconds.
    static func milliseconds(_ duration: Duration) -> Self {
        Self(thousandths: duration.wholeNanoseconds.roundedQuotient(1000))
    }

    func write(to writer: inout JSONWriter) {
        let (whole, fraction) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
        writer.number { bytes in
            if thousandths < 0 { bytes.append(UInt8(ascii: "-")) }
            bytes.appendDecimal(whole)
            guard fraction > 0 else { return }
            bytes.append(UInt8(ascii: "."))
            bytes.appendDecimal(fraction, atLeast: 3)
            while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
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
