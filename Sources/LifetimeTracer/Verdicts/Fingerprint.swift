/// A short name for a leak: the same leak has the same one in every run.
///
/// The ``StableHash`` of a verdict's kind, type and reason, or of a retain path's types and properties; no address, id, index or
/// time goes into it.
public struct Fingerprint: Sendable, Hashable, CustomStringConvertible {
    /// The hash.
    public let rawValue: UInt64

    init(kind: Verdict.Kind, type: TypeName?, reason: String) {
        self.init(parts: [kind.rawValue, type?.qualified ?? "", reason])
    }

    /// The name of what consists of these parts, in this order.
    package init(parts: [String]) {
        // 0xFF never occurs in UTF-8, so it keeps the parts apart.
        rawValue = StableHash.of(parts.flatMap { Array($0.utf8) + [0xFF] })
    }

    /// Reads what ``description`` writes; `nil` for anything but 16 hexadecimal digits in lower case.
    package init?(description: String) {
        guard description.utf8.count == 16, description.utf8.allSatisfy(Self.digits.contains),
            let value = UInt64(description, radix: 16)
        else { return nil }
        rawValue = value
    }

    private static let digits = Set("0123456789abcdef".utf8)

    /// The hash as 16 hexadecimal digits.
    public var description: String {
        let digits = String(rawValue, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
