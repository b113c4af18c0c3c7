extension String {
    /// The text with characters replaced that a terminal interprets, for text from other sources.
    var harmless: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.isObeyedByTerminals ? "\u{FFFD}" : $0 }))
    }

    /// The JSON text with such characters escaped, without a change of meaning.
    ///
    /// Valid JSON contains them in strings only, except for tabs and line breaks, which stay.
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
    /// Whether a terminal interprets the character: a control character, a line or paragraph separator, or a character
    /// that changes the direction of text.
    ///
    /// All of them are in the Basic Multilingual Plane, so four hexadecimal digits suffice.
    fileprivate var isObeyedByTerminals: Bool {
        switch value {
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: properties.generalCategory == .control
        }
    }
}
