/// Writes JSON into a buffer of bytes.
///
/// The writer inserts commas and colons. The caller must write keys in objects only, and no key twice. Text is written
/// as UTF-8; the writer escapes only the characters for which JSON requires it.
@usableFromInline
package struct JSONWriter: Sendable {
    /// The JSON written so far.
    @inlinable package var bytes: [UInt8] { buffer }

    @usableFromInline var buffer: [UInt8] = []
    @usableFromInline var needsComma = false

    /// Creates an empty writer.
    @inlinable
    package init(reservingCapacity capacity: Int = 1024) {
        buffer.reserveCapacity(capacity)
    }

    /// Writes an object.
    ///
    /// `body` writes the fields.
    @inlinable
    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "{"))
        body(&self)
        close(UInt8(ascii: "}"))
    }

    /// Writes an array.
    ///
    /// `each` writes the value of one element.
    @inlinable
    package mutating func array<Elements: Sequence>(
        _ elements: Elements, _ each: (inout JSONWriter, Elements.Element) -> Void
    ) {
        open(UInt8(ascii: "["))
        for element in elements { each(&self, element) }
        close(UInt8(ascii: "]"))
    }

    /// Writes a field of an object.
    @inlinable
    package mutating func field(_ key: String, _ value: some JSONWritable) {
        self.key(key)
        value.write(to: &self)
    }

    /// Writes a key; its value must follow.
    @inlinable
    package mutating func key(_ key: String) {
        text(key)
        buffer.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Returns the bytes of a key and its colon, for ``startField(_:)``.
    package static func start(ofField key: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.key(key)
        return writer.bytes
    }

    /// Writes a key that ``start(ofField:)`` returned; its value must follow.
    @inlinable
    package mutating func startField(_ start: [UInt8]) {
        separate()
        buffer.append(contentsOf: start)
        needsComma = false
    }

    /// Writes a string.
    @inlinable
    package mutating func text(_ text: String) {
        separate()
        buffer.append(UInt8(ascii: "\""))
        // Most strings need no escapes and are appended as a whole.
        let isPlain = text.utf8.withContiguousStorageIfAvailable { utf8 in
            guard !utf8.contains(where: Self.needsEscape) else { return false }
            buffer.append(contentsOf: utf8)
            return true
        }
        if isPlain != true {
            for byte in text.utf8 {
                if Self.needsEscape(byte) { appendEscape(of: byte) } else { buffer.append(byte) }
            }
        }
        buffer.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Writes a string whose bytes `append` appends; none of them may need an escape.
    @inlinable
    package mutating func plainText(_ append: (inout [UInt8]) -> Void) {
        separate()
        buffer.append(UInt8(ascii: "\""))
        append(&buffer)
        buffer.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Writes a number whose bytes `append` appends.
    @inlinable
    package mutating func number(_ append: (inout [UInt8]) -> Void) {
        separate()
        append(&buffer)
        needsComma = true
    }

    /// Writes bytes that are JSON already: a number, `true`, `null`, a value from another writer.
    @inlinable
    package mutating func raw(_ json: some Sequence<UInt8>) {
        separate()
        buffer.append(contentsOf: json)
        needsComma = true
    }

    @inlinable
    mutating func open(_ bracket: UInt8) {
        separate()
        buffer.append(bracket)
        needsComma = false
    }

    @inlinable
    mutating func close(_ bracket: UInt8) {
        buffer.append(bracket)
        needsComma = true
    }

    @inlinable
    mutating func separate() {
        if needsComma { buffer.append(UInt8(ascii: ",")) }
    }

    @inlinable
    static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    @usableFromInline
    mutating func appendEscape(of byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): buffer.append(contentsOf: [UInt8(ascii: "\\"), byte])
        case 0x0A: buffer.append(contentsOf: #"\n"#.utf8)
        case 0x0D: buffer.append(contentsOf: #"\r"#.utf8)
        case 0x09: buffer.append(contentsOf: #"\t"#.utf8)
        default:
            let digits = Array("0123456789abcdef".utf8)
            buffer.append(contentsOf: #"\u00"#.utf8)
            buffer.append(digits[Int(byte >> 4)])
            buffer.append(digits[Int(byte & 0xF)])
        }
    }
}
