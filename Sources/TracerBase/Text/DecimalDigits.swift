extension [UInt8] {
    /// Appends a number in decimal digits, with leading zeros up to a least number of digits.
    @inlinable
    package mutating func appendDecimal(_ number: UInt64, atLeast least: Int = 1) {
        // 2^64 has 20 digits.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var (start, rest) = (digits.count, number)
            while rest > 0 || digits.count - start < least {
                let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                start -= 1
                digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
                rest = quotient
            }
            append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
        }
    }
}
