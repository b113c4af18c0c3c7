extension UnsafeMutablePointer<UInt8> {
    /// Writes the last two digits of a number.
    @inlinable
    package func writeTwoDigits(_ number: UInt64) {
        self[0] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10 % 10)
        self[1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)
    }

    /// Writes a number in decimal digits, with leading zeros up to a least number of digits.
    ///
    /// - Returns: The number of bytes written: at most 20 or `least`.
    @inlinable
    package func writeDecimal(_ number: UInt64, atLeast least: Int = 1) -> Int {
        var (count, rest) = (1, number)
        while rest >= 10 {
            rest /= 10
            count += 1
        }
        count = Swift.max(count, least)
        rest = number
        var position = count
        while position > 0 {
            position -= 1
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            self[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
            rest = quotient
        }
        return count
    }
}
