/// Writes JSON into memory.
///
/// The writer inserts commas and colons. The caller must write keys in objects only, and no key twice. Text is written
/// as UTF-8; the writer escapes only the characters for which JSON requires it.
@usableFromInline
package struct JSONWriter: ~Copyable {
    @usableFromInline var buffer: ByteBuffer
    @usableFromInline var needsComma = false
    @usableFromInline var lastDay = DayText()

    /// Creates an empty writer.
    @inlinable
    package init(reservingCapacity capacity: Int = 4096) {
        buffer = ByteBuffer(reservingCapacity: capacity)
    }

    @inlinable
    init(_ buffer: consuming ByteBuffer) {
        self.buffer = buffer
    }

    /// Returns the JSON that `write` writes.
    ///
    /// - Parameter capacity: Room for most values of this kind, so that the bytes are seldom moved.
    @inlinable
    package static func bytes(reservingCapacity capacity: Int, _ write: (inout JSONWriter) -> Void) -> [UInt8] {
        ByteBuffer.array(reservingCapacity: capacity) { buffer in
            var writer = JSONWriter(buffer)
            write(&writer)
            return writer.buffer
        }
    }

    /// The JSON written so far.
    @inlinable package var bytes: [UInt8] { buffer.bytes }

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
        self.elements { writer in
            for element in elements { each(&writer, element) }
        }
    }

    /// Writes an array.
    ///
    /// `body` writes the values of the elements.
    @inlinable
    package mutating func elements(_ body: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "["))
        body(&self)
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
        start.withUnsafeBufferPointer { buffer.append($0) }
        needsComma = false
    }

    /// Writes a field of an object, quickly.
    ///
    /// - Parameter key: Characters that need no escapes.
    // Inlined, so that the length of the key is a constant, and the copy of the key takes a few instructions.
    @inlinable @inline(__always)
    package mutating func member(_ key: StaticString, _ value: some JSONWritable) {
        let length = key.utf8CodeUnitCount
        buffer.append(atMost: length + 4) { place in
            var count = 0
            if needsComma {
                place[0] = UInt8(ascii: ",")
                count = 1
            }
            place[count] = UInt8(ascii: "\"")
            (place + count + 1).update(from: key.utf8Start, count: length)
            count += 1 + length
            place[count] = UInt8(ascii: "\"")
            place[count + 1] = UInt8(ascii: ":")
            return count + 2
        }
        needsComma = false
        value.write(to: &self)
    }

    /// Writes a value that is JSON already, such as `true` or `null`.
    @inlinable @inline(__always)
    package mutating func literal(_ json: StaticString) {
        separate()
        buffer.append(atMost: json.utf8CodeUnitCount) { place in
            place.update(from: json.utf8Start, count: json.utf8CodeUnitCount)
            return json.utf8CodeUnitCount
        }
        needsComma = true
    }

    /// Writes a string.
    @inlinable
    package mutating func text(_ text: String) {
        separate()
        buffer.append(UInt8(ascii: "\""))
        // Most strings need no escapes and are appended as a whole.
        let isPlain = text.utf8.withContiguousStorageIfAvailable { utf8 in
            guard !Self.needsEscape(utf8) else { return false }
            buffer.append(utf8)
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

    /// Writes a string, given in UTF-8.
    @inlinable
    package mutating func text(_ utf8: UnsafeBufferPointer<UInt8>) {
        separate()
        buffer.append(UInt8(ascii: "\""))
        if Self.needsEscape(utf8) {
            for byte in utf8 {
                if Self.needsEscape(byte) { appendEscape(of: byte) } else { buffer.append(byte) }
            }
        } else {
            buffer.append(utf8)
        }
        buffer.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Writes a string of characters that need no escapes.
    ///
    /// - Parameters:
    ///   - limit: The most bytes of the string.
    ///   - fill: Writes the bytes and returns their number.
    @inlinable
    package mutating func plainText(atMost limit: Int, _ fill: (UnsafeMutablePointer<UInt8>) -> Int) {
        separate()
        buffer.append(UInt8(ascii: "\""))
        buffer.append(atMost: limit, fill)
        buffer.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Writes a point in time as ISO 8601 in UTC with milliseconds, rounded down.
    package mutating func timestamp(nanosecondsSince1970 nanoseconds: Int64) {
        var day = lastDay
        plainText(atMost: TimestampText.length) {
            TimestampText.write(nanosecondsSince1970: nanoseconds, to: $0, &day)
        }
        lastDay = day
    }

    /// Writes a number.
    ///
    /// - Parameters:
    ///   - limit: The most bytes of the number.
    ///   - fill: Writes the bytes and returns their number.
    @inlinable
    package mutating func number(atMost limit: Int, _ fill: (UnsafeMutablePointer<UInt8>) -> Int) {
        separate()
        buffer.append(atMost: limit, fill)
        needsComma = true
    }

    /// Writes bytes that are JSON already: a number, `true`, `null`, a value from another writer.
    @inlinable
    package mutating func raw(_ json: some Sequence<UInt8>) {
        separate()
        if json.withContiguousStorageIfAvailable({ buffer.append($0) }) == nil {
            for byte in json { buffer.append(byte) }
        }
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

    /// Whether any byte needs an escape; looks at eight bytes at a time.
    @inlinable
    package static func needsEscape(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.contains { $0.controls | $0.equals(UInt8(ascii: "\"")) | $0.equals(UInt8(ascii: "\\")) }
    }

    @usableFromInline
    mutating func appendEscape(of byte: UInt8) {
        let letter: UInt8
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): letter = byte
        case 0x0A: letter = UInt8(ascii: "n")
        case 0x0D: letter = UInt8(ascii: "r")
        case 0x09: letter = UInt8(ascii: "t")
        default:
            for byte in #"\u00"#.utf8 { buffer.append(byte) }
            buffer.append(UInt8(ascii: "0") + byte >> 4)
            let digit = byte & 0xF
            buffer.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            return
        }
        buffer.append(UInt8(ascii: "\\"))
        buffer.append(letter)
    }
}
