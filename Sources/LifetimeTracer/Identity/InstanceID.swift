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

    // swift-format-ignore: NoLeadingUnderscores
    /// Returns a hash value for the standard library's sets and dictionaries, which call this function by this name.
    ///
    /// The tracer assigns the ids, so nobody can choose ones that collide, and most are successive. Sixteen successive
    /// ids are neighbours in the table, so that objects that die together are found in few lines of the cache. A
    /// multiplication spreads the groups of sixteen evenly (Knuth, The Art of Computer Programming 3, 6.4), and chooses
    /// the order in each, so that ids with regular gaps are spread as well. `Hasher` takes several times as long, and
    /// the death of an instance with a deadline hashes several ids.
    public func _rawHashValue(seed: Int) -> Int {
        // Dictionaries use the low bits of the result. In a product, they would depend on the low bits of the id alone.
        let product = (rawValue >> 4 &+ UInt64(truncatingIfNeeded: seed)) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: (product >> 32) << 4 | (rawValue ^ product >> 60) & 15)
    }

    /// Whether `left` was assigned before `right`.
    public static func < (left: Self, right: Self) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The number as text.
    public var description: String { String(rawValue) }
}
