/// The id of a deadline in its registry, which rises with each deadline.
struct DeadlineID: Sendable, Hashable, Comparable {
    /// The bits for the slot of ``DeadlineEntries`` that holds the deadline, below those for the serial number.
    static let slotBits = 24

    let rawValue: UInt64

    /// The id of no deadline.
    static let none = Self(serial: 0, slot: 0)

    init(serial: UInt64, slot: Int) {
        rawValue = serial << Self.slotBits | UInt64(slot)
    }

    var slot: Int { Int(rawValue & (1 << Self.slotBits - 1)) }

    static func < (left: Self, right: Self) -> Bool {
        left.rawValue < right.rawValue
    }
}
