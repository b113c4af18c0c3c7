/// The 64-bit FNV-1a hash (http://www.isthe.com/chongo/tech/comp/fnv/): the same for the same bytes in every run.
///
/// It names things; it keeps nobody from making two of one name on purpose.
package struct StableHash: Sendable {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    /// Hashes a sequence of bytes.
    package static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash = StableHash()
        hash.combine(bytes)
        return hash.value
    }

    /// Hashes some texts, whatever they contain, apart from each other; `nil` differs from the empty text.
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
