/// Eight bytes of a text, which are looked at together.
///
/// The results have the highest bit of a byte set if any byte is found; the other bits mean nothing. See "Determine if
/// a word has a byte less than n" in https://graphics.stanford.edu/~seander/bithacks.html.
@usableFromInline
package struct ByteWord {
    @usableFromInline let bytes: UInt64

    @inlinable
    init(_ bytes: UInt64) {
        self.bytes = bytes
    }

    /// Finds bytes below 32, which are control characters.
    @inlinable package var controls: UInt64 { (bytes &- Self.each(0x20)) & ~bytes }

    /// Finds bytes that are equal to a byte.
    @inlinable
    package func equals(_ byte: UInt8) -> UInt64 {
        let difference = bytes ^ Self.each(byte)
        return (difference &- Self.each(1)) & ~difference
    }

    /// Returns a word of eight equal bytes.
    @inlinable
    static func each(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether any byte is found; looks at eight bytes at a time.
    ///
    /// - Parameter find: Finds some of the bytes of a word, and no space.
    @inlinable
    package func contains(_ find: (ByteWord) -> UInt64) -> Bool {
        let highest = ByteWord.each(0x80)
        guard count >= 8 else {
            var word = ByteWord.each(UInt8(ascii: " "))
            for byte in self { word = word << 8 | UInt64(byte) }
            return find(ByteWord(word)) & highest != 0
        }
        let raw = UnsafeRawBufferPointer(self)
        var position = 0
        while position + 8 < count {
            let word = raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            if find(ByteWord(word)) & highest != 0 { return true }
            position += 8
        }
        // The last eight bytes, some of which may have been seen.
        return find(ByteWord(raw.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))) & highest != 0
    }
}
