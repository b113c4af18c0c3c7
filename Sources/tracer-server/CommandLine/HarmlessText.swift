extension String {
    /// The text without the characters that a terminal would obey: for texts that come from elsewhere.
    var harmless: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.isObeyedByTerminals ? "\u{FFFD}" : $0 }))
    }

    /// The JSON text with each such character inside a string written as an escape, which means the same.
    ///
    /// Valid JSON has none of them outside strings but tabs and line ends, which stay.
    var harmlessJSON: String {
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar.isObeyedByTerminals, !["\n", "\r", "\t"].contains(scalar) {
                let digits = String(scalar.value, radix: 16)
                result.append(
                    contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }
}

extension Unicode.Scalar {
    /// Control characters, line and paragraph separators, and characters that change the direction of text.
    ///
    /// All are in the basic plane.
    fileprivate var isObeyedByTerminals: Bool {
        switch value {
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: properties.generalCategory == .control
        }
    }
}
