extension String {
    /// The text with a replacement character for each character that a terminal interprets.
    ///
    /// For text from other sources, such as names, paths and values from the environment, in messages and reports.
    package var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.isInterpretedByTerminals ? "\u{FFFD}" : $0 }))
    }

    /// The first hundred characters in printable form, for messages that quote a value.
    package var printablePrefix: String {
        String(String.UnicodeScalarView(unicodeScalars.prefix(100))).printable
    }

    /// The JSON text with such characters escaped, without a change of meaning.
    ///
    /// Valid JSON contains them in strings only, except for tabs and line breaks, which stay.
    package var printableJSON: String {
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar.isInterpretedByTerminals, !["\n", "\r", "\t"].contains(scalar) {
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

extension StringProtocol {
    /// The text with each invisible character as `\u{…}`, for text from a program's memory, where every character
    /// counts.
    ///
    /// If `mark` is given, it and the backslash get a backslash before them.
    package func withEscapes(for mark: Unicode.Scalar? = nil) -> String {
        var result = ""
        for scalar in unicodeScalars {
            if scalar.isInvisible || scalar.isInterpretedByTerminals {
                result += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                if let mark, scalar == mark || scalar == "\\" { result += "\\" }
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    /// Whether a terminal interprets the character: a control character, a line or paragraph separator, or a character
    /// that changes the direction of text.
    ///
    /// All of them are in the Basic Multilingual Plane, so four hexadecimal digits suffice.
    fileprivate var isInterpretedByTerminals: Bool {
        switch value {
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: properties.generalCategory == .control
        }
    }

    fileprivate var isInvisible: Bool {
        switch properties.generalCategory {
        case .format, .privateUse, .surrogate, .unassigned: true
        default: false
        }
    }
}
