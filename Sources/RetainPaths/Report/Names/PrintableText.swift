/// Text from a program's memory, made safe to be printed on one line.
enum PrintableText {
    /// The text with control characters as `\u{…}`, and with a backslash before itself and before one other character.
    static func of(_ text: some StringProtocol, escaping mark: Unicode.Scalar? = nil) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            // Format characters, too: they can turn the direction of all that follows on the line.
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
