/// A short name for a leak: the same leak has the same one in every run.
///
/// The 64-bit FNV-1a hash (http://www.isthe.com/chongo/tech/comp/fnv/) of a verdict's kind, type and reason; no address, id
/// or time goes into it.
public struct Fingerprint: Sendable, Hashable, CustomStringConvertible {
    /// The hash.
    public let rawValue: UInt64

    init(kind: Verdict.Kind, type: TypeName?, reason: String) {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for text in [kind.rawValue, type?.qualified ?? "", reason] {
            // 0xFF never occurs in UTF-8, so it keeps the parts apart.
            for byte in Array(text.utf8) + [0xFF] {
                hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
            }
        }
        rawValue = hash
    }

    /// The hash as 16 hexadecimal digits.
    public var description: String {
        let digits = String(rawValue, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
