/// Hands out numbers that are unique in the process while in use, as indices of types and contexts.
struct IndexPool: LockedState {
    private var next: UInt32
    private let end: UInt32
    private var returned: [UInt32] = []

    init(_ range: Range<UInt32>) {
        next = range.lowerBound
        end = range.upperBound
    }

    /// Takes a number; `nil` if all are in use.
    mutating func take() -> UInt32? {
        if let last = returned.popLast() { return last }
        guard next < end else { return nil }
        defer { next += 1 }
        return next
    }

    /// Returns numbers to the pool.
    mutating func giveBack(_ numbers: some Sequence<UInt32>) {
        returned += numbers
    }
}
