/// The id of a traced instance: rises with every birth in its registry and is never reused.
///
/// It is never an address, so an object that is born where another died is never taken for it.
public struct InstanceID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number, from 1.
    public let rawValue: UInt64

    /// Creates an id from its number.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Whether `left` was given out before `right`.
    public static func < (left: Self, right: Self) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The number as text.
    public var description: String { String(rawValue) }
}
