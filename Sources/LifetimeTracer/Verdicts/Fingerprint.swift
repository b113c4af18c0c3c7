/// A short name for a leak: the same leak has the same one in every run.
///
/// The ``StableHash`` of a verdict's kind, type and reason; no address, id or time goes into it.
public struct Fingerprint: Sendable, Hashable, CustomStringConvertible {
    /// The hash.
    public let rawValue: UInt64

    init(kind: Verdict.Kind, type: TypeName?, reason: String) {
        // 0xFF never occurs in UTF-8, so it keeps the parts apart.
        rawValue = StableHash.of([kind.rawValue, type?.qualified ?? "", reason].flatMap { Array($0.utf8) + [0xFF] })
    }

    /// The hash as 16 hexadecimal digits.
    public var description: String {
        let digits = String(rawValue, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
