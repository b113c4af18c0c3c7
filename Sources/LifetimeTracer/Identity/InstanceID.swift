/// The id of a traced instance, which rises with every birth in its registry and is never reused.
///
/// The number does not depend on the object's address: an object that is allocated at the address of a dead one has
/// another id. Ids rise across threads as well. If threads create objects concurrently and without pause, ids within
/// some hundred microseconds can be out of order. An instance that is born after a mark or a snapshot always has a
/// higher id than every instance born before it. An object that was created while tracing was off has an id from 2^52,
/// which no answer lists.
public struct InstanceID: LockedState, Hashable, Comparable, CustomStringConvertible {
    /// The number, from 1.
    public let rawValue: UInt64

    /// A hint at the address of the instance's record, checked against the record; 0 if unknown.
    ///
    /// The hint saves a search through all records. It is the address of the record, not of the object. It is stored as
    /// a number so that a retain path search does not take it for a reference.
    let place: UInt

    /// Creates an id from its number.
    public init(rawValue: UInt64) {
        self.init(rawValue: rawValue, place: 0)
    }

    init(rawValue: UInt64, place: UInt) {
        self.rawValue = rawValue
        self.place = place
    }

    /// Whether both ids have the same number.
    public static func == (left: Self, right: Self) -> Bool {
        left.rawValue == right.rawValue
    }

    /// Hashes the number.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rawValue)
    }

    /// Whether `left` was assigned before `right`.
    public static func < (left: Self, right: Self) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The number as text.
    public var description: String { String(rawValue) }
}
