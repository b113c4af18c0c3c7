/// Writes JSON into a buffer of bytes.
///
/// The writer inserts commas and colons. The caller must write keys in objects only, and no key twice. Text is written
/// as UTF-8; the writer escapes only the characters for which JSON requires it.
package struct JSONWriter: Sendable {
    /// The JSON written so far.
    package private(set) var bytes: [UInt8] = []

    private var needsComma = false

    /// Creates an empty writer.
    package init(reservingCapacity capacity: Int = 1024) {
        bytes.reserveCapacity(capacity)
    }

    /// Writes an object.
    ///
    /// `body` writes the fields.
    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "{"))
        body(&self)
        close(UInt8(ascii: "}"))
    }

    /// Writes an array.
    ///
    /// `each` writes the value of one element.
    package mutating func array<Elements: Sequence>(
        _ elements: Elements, _ each: (inout JSONWriter, Elements.Element) -> Void
    ) {
        open(UInt8(ascii: "["))
        for element in elements { each(&self, element) }
        close(UInt8(ascii: "]"))
    }

    /// Writes a field of an object.
    package mutating func field(_ key: String, _ value: some JSONWritable) {
        self.key(key)
        value.write(to: &self)
    }

    /// Writes a key; its value must follow.
    package mutating func key(_ key: String) {
        text(key)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Returns the bytes of a key and its colon, for ``startField(_:)``.
    static func start(ofField key: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.key(key)
        return writer.bytes
    }

    /// Writes a key that ``start(ofField:)`` returned; its value must follow.
    mutating func startField(_ start: [UInt8]) {
        separate()
        bytes.append(contentsOf: start)
        needsComma = false
    }

    /// Writes a string.
    package mutating func text(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        // Most strings need no escapes and are appended as a whole.
        let isPlain = text.utf8.withContiguousStorageIfAvailable { utf8 in
            guard !utf8.contains(where: Self.needsEscape) else { return false }
            bytes.append(contentsOf: utf8)
            return true
        }
        if isPlain != true {
            for byte in text.utf8 {
                if Self.needsEscape(byte) { appendEscape(of: byte) } else { bytes.append(byte) }
            }
        }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Writes bytes that are JSON already: a number, `true`, `null`, a value from another writer.
    package mutating func raw(_ json: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
        needsComma = true
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func appendEscape(of byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(contentsOf: [UInt8(ascii: "\\"), byte])
        case 0x0A: bytes.append(contentsOf: #"\n"#.utf8)
        case 0x0D: bytes.append(contentsOf: #"\r"#.utf8)
        case 0x09: bytes.append(contentsOf: #"\t"#.utf8)
        default:
            let digits = Array("0123456789abcdef".utf8)
            bytes.append(contentsOf: #"\u00"#.utf8)
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 0xF)])
        }
    }
}
