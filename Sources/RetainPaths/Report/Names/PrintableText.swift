/// Makes text from a program's memory safe to print on one line.
enum PrintableText {
    /// The text with control characters as `\u{…}`.
    ///
    /// If `mark` is given, it and the backslash get a backslash before them.
    static func of(_ text: some StringProtocol, escaping mark: Unicode.Scalar? = nil) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            // Format characters are escaped too, because they can change the direction of the text behind them.
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default:
                if let mark, scalar == mark || scalar == "\\" { result += "\\" }
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
