/// Reads the words of a JSON text: strings, numbers and single characters.
struct JSONScanner {
    static let digit = UInt8(ascii: "0")...UInt8(ascii: "9")

    private let bytes: [UInt8]
    private var position = 0
    /// The current line, counted from 1.
    private(set) var line = 1

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The next byte; `nil` at the end.
    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    var isAtEnd: Bool { position == bytes.count }

    /// A description of the next byte, for an error message.
    var found: String {
        guard let byte = peek else { return "the end of the text" }
        return (0x21...0x7E).contains(byte)
            ? "'\(Character(Unicode.Scalar(byte)))'" : "the byte 0x\(String(byte, radix: 16))"
    }

    /// Creates an error on the current line.
    func error(_ message: String, hint: String) -> JSONError {
        JSONError(message, hint: hint, line: line)
    }

    mutating func skipByte() {
        position += 1
    }

    mutating func skipSpace() {
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\n"): line += 1
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
            default: return
            }
            position += 1
        }
    }

    /// Skips a text if it comes next; returns whether it did.
    mutating func take(_ text: StaticString) -> Bool {
        // Safe: the text of a literal lives as long as the program.
        let expected = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard bytes[position...].starts(with: expected) else { return false }
        position += expected.count
        return true
    }

    // MARK: Numbers

    /// Reads a number, whose first character comes next.
    mutating func number() throws(JSONError) -> JSONNumber {
        let start = position
        _ = take("-")
        let whole = digits()
        let hasLeadingZero = whole.count > 1 && bytes[whole.lowerBound] == UInt8(ascii: "0")
        var isComplete = !whole.isEmpty && !hasLeadingZero
        if take(".") { isComplete = !digits().isEmpty && isComplete }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            isComplete = !digits().isEmpty && isComplete
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard isComplete else {
            throw error("'\(text.printablePrefix)' is not a number.", hint: "Write a string in double quotes.")
        }
        return JSONNumber(text: text)
    }

    private mutating func digits() -> Range<Int> {
        let start = position
        while let byte = peek, Self.digit.contains(byte) { position += 1 }
        return start..<position
    }

    // MARK: Strings

    /// Reads a string, whose opening quotation mark comes next.
    mutating func string() throws(JSONError) -> String {
        position += 1
        let start = position
        skipPlainText()
        // Most strings contain no escape, and are copied as a whole.
        if peek == UInt8(ascii: "\"") {
            defer { position += 1 }
            return try text(of: bytes[start..<position])
        }
        var content = Array(bytes[start..<position])
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return try text(of: content[...])
            case UInt8(ascii: "\\"):
                position += 1
                content += try escape().utf8
            case 0..<0x20:
                throw error(
                    "A string contains \(found), or is not closed on its line.",
                    hint: "Close the string with \", or write \\n, \\t or \\u.")
            default:
                let start = position
                skipPlainText()
                content += bytes[start..<position]
            }
        }
        throw error("A string is not closed.", hint: "Close the string with \".")
    }

    private mutating func skipPlainText() {
        while let byte = peek, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { position += 1 }
    }

    private func text(of content: ArraySlice<UInt8>) throws(JSONError) -> String {
        guard let text = String(validating: content, as: UTF8.self) else {
            throw error("A string is not UTF-8.", hint: "Save the text as UTF-8.")
        }
        return text
    }

    private static let escapes: [UInt8: Character] = [
        UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/", UInt8(ascii: "b"): "\u{8}",
        UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
    ]

    /// Reads the rest of an escape, behind its backslash.
    private mutating func escape() throws(JSONError) -> String {
        if let byte = peek, let character = Self.escapes[byte] {
            position += 1
            return String(character)
        }
        guard take("u") else {
            throw error("A string contains an unknown escape: \\ before \(found).", hint: "Write a backslash as \\\\.")
        }
        let unit = try hexadecimalUnit()
        guard UTF16.isLeadSurrogate(unit), take("\\u") else { return try scalar([unit]) }
        return try scalar([unit, try hexadecimalUnit()])
    }

    private func scalar(_ units: [UInt16]) throws(JSONError) -> String {
        guard let text = String(validating: units, as: UTF16.self) else {
            throw error(
                "A \\u in a string is half of a surrogate pair.", hint: "Write both halves, or the character itself.")
        }
        return text
    }

    private mutating func hexadecimalUnit() throws(JSONError) -> UInt16 {
        let digits = bytes[position...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else {
            throw error(
                "A \\u in a string is not followed by four hexadecimal digits.",
                hint: "Write four digits, as in \\u2192.")
        }
        position += 4
        return unit
    }
}
