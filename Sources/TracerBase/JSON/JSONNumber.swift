/// A number of a JSON text, exactly as the text writes it.
package struct JSONNumber: Sendable, Hashable {
    /// The number as in the text: `-1.50e3`.
    package let text: String

    /// Creates a number from a text that matches JSON's grammar of numbers.
    init(text: String) {
        self.text = text
    }

    /// Returns the number as an integer; `nil` if the number is a fraction or does not fit.
    ///
    /// The form does not matter: `3`, `3.0` and `30e-1` are the same integer.
    package func integer<Integer: FixedWidthInteger>(as type: Integer.Type = Integer.self) -> Integer? {
        if let integer = Integer(text) { return integer }
        let isNegative = text.hasPrefix("-")
        let parts = text.drop { $0 == "-" }.split { $0 == "e" || $0 == "E" }
        guard let mantissa = parts.first else { return nil }
        let places = mantissa.split(separator: ".")
        var digits = places.joined(separator: "").drop { $0 == "0" }
        guard !digits.isEmpty else { return 0 }
        guard var exponent = parts.count > 1 ? Int(parts[1]) : 0 else { return nil }
        exponent -= places.count > 1 ? places[1].count : 0
        while digits.last == "0" {
            digits.removeLast()
            exponent += 1
        }
        // No integer type of the standard library has more than 39 digits.
        guard exponent >= 0, exponent <= 39 else { return nil }
        return Integer((isNegative ? "-" : "") + digits + String(repeating: "0", count: exponent))
    }

    /// The nearest floating-point number; `nil` if the number is beyond the largest finite one.
    package var double: Double? {
        Double(text).flatMap { $0.isFinite ? $0 : nil }
    }
}
