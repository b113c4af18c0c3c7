/// A strict reader of JSON (RFC 8259) that records the line of each value.
///
/// It accepts one value of valid UTF-8 without a byte order mark. It refuses repeated names, escapes that are half of a
/// surrogate pair, control characters in strings, leading zeros, and commas before a closing bracket. The size and the
/// depth are limited, so that no text exhausts the memory or the stack.
package struct JSONReader {
    private var scanner: JSONScanner
    private let depthLimit: Int

    /// Reads a JSON text that consists of one value.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - size: The largest accepted number of bytes.
    ///   - depth: The largest accepted number of nested lists and objects.
    package static func read(_ bytes: [UInt8], size: Int, depth: Int) throws(JSONError) -> JSONValue {
        var reader = JSONReader(scanner: JSONScanner(bytes), depthLimit: depth)
        guard bytes.count <= size else {
            throw reader.scanner.error("The text has \(bytes.count) bytes.", hint: "Use at most \(size) bytes.")
        }
        guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else {
            throw reader.scanner.error(
                "The text begins with a byte order mark.", hint: "Save the text as UTF-8 without one.")
        }
        let value = try reader.value(depth: 0)
        reader.scanner.skipSpace()
        guard reader.scanner.isAtEnd else {
            throw reader.scanner.error(
                "The end of the text is expected, but \(reader.scanner.found) follows.",
                hint: "Remove everything after the value.")
        }
        return value
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        scanner.skipSpace()
        let line = scanner.line
        return JSONValue(content: try content(depth: depth), line: line)
    }

    private mutating func content(depth: Int) throws(JSONError) -> JSONValue.Content {
        switch scanner.peek {
        case UInt8(ascii: "{"): return .object(try object(depth: depth))
        case UInt8(ascii: "["): return .array(try array(depth: depth))
        case UInt8(ascii: "\""): return .string(try scanner.string())
        case let byte? where byte == UInt8(ascii: "-") || JSONScanner.digit.contains(byte):
            return .number(try scanner.number())
        default:
            if scanner.take("true") { return .boolean(true) }
            if scanner.take("false") { return .boolean(false) }
            if scanner.take("null") { return .null }
            throw scanner.error(
                "A value is expected, but \(scanner.found) follows.",
                hint: "Write a string in double quotes, a list or an object.")
        }
    }

    private mutating func array(depth: Int) throws(JSONError) -> [JSONValue] {
        try enter(depth)
        var values: [JSONValue] = []
        guard !ends(with: "]") else { return values }
        while true {
            values.append(try value(depth: depth + 1))
            if ends(with: "]") { return values }
            try comma(or: "]")
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> [JSONValue.Member] {
        try enter(depth)
        var members: [JSONValue.Member] = []
        var names: Set<String> = []
        guard !ends(with: "}") else { return members }
        while true {
            let member = try member(depth: depth)
            // Only names that are equal for Swift can have the same bytes.
            guard names.insert(member.name).inserted || !members.contains(where: { $0.isNamed(member.name) }) else {
                throw JSONError(
                    "The name \"\(member.name.withEscapes())\" is given twice.", hint: "Keep one of them.",
                    line: member.line)
            }
            members.append(member)
            if ends(with: "}") { return members }
            try comma(or: "}")
        }
    }

    private mutating func member(depth: Int) throws(JSONError) -> JSONValue.Member {
        scanner.skipSpace()
        let line = scanner.line
        guard scanner.peek == UInt8(ascii: "\"") else {
            throw scanner.error(
                "A name is expected, but \(scanner.found) follows.", hint: "Write the name in double quotes.")
        }
        let name = try scanner.string()
        scanner.skipSpace()
        guard scanner.take(":") else {
            throw scanner.error(
                "After \"\(name.withEscapes())\" a colon is expected, but \(scanner.found) follows.",
                hint: "Write a colon and the value.")
        }
        return JSONValue.Member(name: name, value: try value(depth: depth + 1), line: line)
    }

    /// Skips the opening bracket of a list or an object.
    private mutating func enter(_ depth: Int) throws(JSONError) {
        guard depth < depthLimit else {
            throw scanner.error(
                "Lists and objects are nested more than \(depthLimit) levels deep.", hint: "Use fewer levels.")
        }
        scanner.skipByte()
    }

    private mutating func ends(with end: StaticString) -> Bool {
        scanner.skipSpace()
        return scanner.take(end)
    }

    private mutating func comma(or end: StaticString) throws(JSONError) {
        guard scanner.take(",") else {
            throw scanner.error(
                "A comma or \(end) is expected, but \(scanner.found) follows.", hint: "Add the missing character.")
        }
        scanner.skipSpace()
        if scanner.peek == end.utf8Start.pointee {
            throw scanner.error("A comma stands before \(end).", hint: "Remove the comma after the last element.")
        }
    }
}
