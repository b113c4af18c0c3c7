import TracerText

/// A strict reader of JSON (RFC 8259) that records the line of each value.
///
/// Foundation's reader does not report lines, and this module does not link Foundation.
struct JSONReader {
    /// A value, and the line on which it begins.
    struct Value: Hashable {
        enum Content: Hashable {
            case null
            case boolean(Bool)
            /// The digits as they are in the file.
            case number(String)
            case string(String)
            case array([Value])
            case object([Member])
        }

        var content: Content
        var line: Int

        /// The kind of the value, for an error message: `a number`.
        var kind: String {
            switch content {
            case .null: "null"
            case .boolean: "a boolean"
            case .number: "a number"
            case .string: "a string"
            case .array: "a list"
            case .object: "an object"
            }
        }
    }

    /// A name with its value.
    struct Member: Hashable {
        var name: String
        var value: Value
        var line: Int
    }

    private let bytes: [UInt8]
    private let depthLimit: Int
    private var position = 0
    private var line = 1

    /// Reads a JSON text that consists of one value.
    ///
    /// - Parameter depth: The largest number of nested lists and objects.
    static func read(_ bytes: [UInt8], depth: Int) throws(KnownLeaksError) -> Value {
        var reader = JSONReader(bytes: bytes, depthLimit: depth)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            throw reader.error("The file begins with a byte order mark.", hint: "Save the file as UTF-8 without one.")
        }
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.position == bytes.count else {
            throw reader.error(
                "The end of the file is expected, but \(reader.found) follows.",
                hint: "Remove all text after the value.")
        }
        return value
    }

    private init(bytes: [UInt8], depthLimit: Int) {
        self.bytes = bytes
        self.depthLimit = depthLimit
    }

    private func error(_ message: String, hint: String) -> KnownLeaksError {
        KnownLeaksError(message, hint: hint, line: line)
    }

    // MARK: Values

    private mutating func value(depth: Int) throws(KnownLeaksError) -> Value {
        skipSpace()
        let start = line
        switch peek {
        case UInt8(ascii: "{"): return Value(content: .object(try object(depth: depth)), line: start)
        case UInt8(ascii: "["): return Value(content: .array(try array(depth: depth)), line: start)
        case UInt8(ascii: "\""): return Value(content: .string(try string()), line: start)
        case let byte? where byte == UInt8(ascii: "-") || Self.digit.contains(byte):
            return Value(content: .number(try number()), line: start)
        default:
            if take("true") { return Value(content: .boolean(true), line: start) }
            if take("false") { return Value(content: .boolean(false), line: start) }
            if take("null") { return Value(content: .null, line: start) }
            throw error(
                "A value is expected, but \(found) follows.",
                hint: "Write a string in double quotes, a list or an object.")
        }
    }

    private mutating func array(depth: Int) throws(KnownLeaksError) -> [Value] {
        try enter(depth)
        var values: [Value] = []
        guard !ends(with: "]") else { return values }
        while true {
            values.append(try value(depth: depth + 1))
            if ends(with: "]") { return values }
            try comma(or: "]")
        }
    }

    private mutating func object(depth: Int) throws(KnownLeaksError) -> [Member] {
        try enter(depth)
        var members: [Member] = []
        guard !ends(with: "}") else { return members }
        while true {
            skipSpace()
            let start = line
            guard peek == UInt8(ascii: "\"") else {
                throw error("A name is expected, but \(found) follows.", hint: "Write the name in double quotes.")
            }
            let name = try string()
            skipSpace()
            guard take(":") else {
                throw error(
                    "After \"\(name.withEscapes())\" a colon is expected, but \(found) follows.",
                    hint: "Write a colon and the value.")
            }
            members.append(Member(name: name, value: try value(depth: depth + 1), line: start))
            if ends(with: "}") { return members }
            try comma(or: "}")
        }
    }

    private mutating func enter(_ depth: Int) throws(KnownLeaksError) {
        guard depth < depthLimit else {
            throw error(
                "Lists and objects are nested more than \(depthLimit) levels deep.",
                hint: "Write one list of objects with strings in them.")
        }
        position += 1
    }

    private mutating func ends(with end: StaticString) -> Bool {
        skipSpace()
        return take(end)
    }

    private mutating func comma(or end: StaticString) throws(KnownLeaksError) {
        guard take(",") else {
            throw error("A comma or \(end) is expected, but \(found) follows.", hint: "Add the missing character.")
        }
        skipSpace()
        if peek == end.utf8Start.pointee {
            throw error("A comma stands before \(end).", hint: "Remove the comma after the last element.")
        }
    }

    private mutating func number() throws(KnownLeaksError) -> String {
        let start = position
        _ = take("-")
        let whole = digits()
        let isLeadingZero = whole.count > 1 && bytes[whole.lowerBound] == UInt8(ascii: "0")
        var isComplete = !whole.isEmpty && !isLeadingZero
        if take(".") { isComplete = !digits().isEmpty && isComplete }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            isComplete = !digits().isEmpty && isComplete
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard isComplete else { throw error("'\(text)' is not a number.", hint: "Write a string in double quotes.") }
        return text
    }

    private mutating func digits() -> Range<Int> {
        let start = position
        while let byte = peek, Self.digit.contains(byte) { position += 1 }
        return start..<position
    }

    private static let digit = UInt8(ascii: "0")...UInt8(ascii: "9")

    // MARK: Strings

    private mutating func string() throws(KnownLeaksError) -> String {
        position += 1
        var content: [UInt8] = []
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                guard let text = String(validating: content, as: UTF8.self) else {
                    throw error("A string is not UTF-8.", hint: "Save the file as UTF-8.")
                }
                return text
            case UInt8(ascii: "\\"):
                position += 1
                content += try escape().utf8
            case 0..<0x20:
                throw error(
                    "A string contains \(found), or is not closed on its line.",
                    hint: "Close the string with \", or write \\n, \\t or \\u.")
            default:
                content.append(byte)
                position += 1
            }
        }
        throw error("A string is not closed.", hint: "Close the string with \".")
    }

    private static let escapes: [UInt8: Character] = [
        UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/", UInt8(ascii: "b"): "\u{8}",
        UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
    ]

    private mutating func escape() throws(KnownLeaksError) -> String {
        if let byte = peek, let character = Self.escapes[byte] {
            position += 1
            return String(character)
        }
        guard take("u") else {
            throw error("A string contains an unknown escape: \\ before \(found).", hint: "Write a backslash as \\\\.")
        }
        let unit = try hexUnit()
        guard UTF16.isLeadSurrogate(unit) else { return try scalar([unit]) }
        guard take("\\u") else { return try scalar([unit]) }
        return try scalar([unit, try hexUnit()])
    }

    private func scalar(_ units: [UInt16]) throws(KnownLeaksError) -> String {
        guard let text = String(validating: units, as: UTF16.self) else {
            throw error(
                "A \\u in a string is half of a surrogate pair.", hint: "Write both halves, or the character itself.")
        }
        return text
    }

    private mutating func hexUnit() throws(KnownLeaksError) -> UInt16 {
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

    // MARK: Bytes

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// A description of the next byte, for an error message.
    private var found: String {
        guard let byte = peek else { return "the end of the file" }
        return (0x21...0x7E).contains(byte)
            ? "'\(Character(Unicode.Scalar(byte)))'" : "the byte 0x\(String(byte, radix: 16))"
    }

    private mutating func take(_ text: StaticString) -> Bool {
        // Safe: the text of a literal lives as long as the program.
        let expected = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard bytes[position...].starts(with: expected) else { return false }
        position += expected.count
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\n"): line += 1
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
            default: return
            }
            position += 1
        }
    }
}
