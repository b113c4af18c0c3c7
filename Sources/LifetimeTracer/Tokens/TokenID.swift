/// The id of an observer token, which rises with every registration in its registry and is never reused.
public struct TokenID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number, from 1.
    public let rawValue: UInt64

    init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Whether `left` was assigned before `right`.
    public static func < (left: Self, right: Self) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The number as text.
    public var description: String { String(rawValue) }
}
