/// A short identifier of a leak, which is the same for the same leak in every run.
///
/// It is a stable hash of a verdict's kind, type and reason, or of a retain path's types and properties. No
/// address, id, index or time goes into it.
public struct Fingerprint: Sendable, Hashable, CustomStringConvertible {
    /// The hash.
    public let rawValue: UInt64

    init(kind: Verdict.Kind, type: TypeName?, reason: String) {
        self.init(parts: [kind.rawValue, type?.qualified ?? "", reason])
    }

    /// Creates the fingerprint of a leak with these parts, in this order.
    package init(parts: [String]) {
        rawValue = StableHash.ofParts(parts)
    }

    /// Parses the format of ``description``: exactly 16 lower-case hexadecimal digits; otherwise `nil`.
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
