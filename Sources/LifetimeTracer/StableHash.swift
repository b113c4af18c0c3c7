/// A 64-bit FNV-1a hash, which has the same value for the same bytes in every run.
///
/// The hash serves as a name. It is not cryptographic: two inputs with one hash can be constructed on purpose. Origin:
/// http://www.isthe.com/chongo/tech/comp/fnv/.
package struct StableHash: Sendable {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    /// Hashes a sequence of bytes.
    package static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash = StableHash()
        hash.combine(bytes)
        return hash.value
    }

    /// Hashes texts, with a byte behind each that never occurs in UTF-8.
    static func ofParts(_ parts: [String]) -> UInt64 {
        var hash = StableHash()
        for part in parts {
            hash.combine(part.utf8)
            hash.combine(CollectionOfOne(0xFF))
        }
        return hash.value
    }

    /// Hashes a list of texts so that their boundaries count; `nil` differs from the empty text.
    package static func of(_ texts: String?...) -> UInt64 {
        var hash = StableHash()
        for text in texts {
            hash.combine(CollectionOfOne(text == nil ? 0xFE : 0xFF))
            hash.combine((text ?? "").utf8)
        }
        return hash.value
    }

    private mutating func combine(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    }
}
