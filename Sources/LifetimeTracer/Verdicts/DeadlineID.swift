/// The id of a deadline in its registry.
struct DeadlineID: Sendable, Hashable, Comparable {
    let rawValue: UInt64

    static func < (left: Self, right: Self) -> Bool {
        left.rawValue < right.rawValue
    }
}
