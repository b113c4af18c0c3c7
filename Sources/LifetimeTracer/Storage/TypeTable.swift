import CLifetimeRuntime

/// The index of a type in its registry.
struct TypeIndex: Sendable, Hashable {
    let rawValue: Int32

    /// Stands for a type that a rule leaves out, in a context; no record has such a context.
    static let leftOut = Self(rawValue: -1)
}

/// The traced types of a registry.
///
/// Has no lock of its own: it is part of the registry's ``Catalog``. The stripes count the instances of a type at an
/// index that is unique in the process. The table is bounded: types beyond ``limit`` share the entry "other types".
struct TypeTable: Sendable {
    /// A type with its counters as of a cut.
    struct Entry: Sendable {
        let name: TypeName
        /// The name without a number, which rules match.
        let plainName: TypeName
        /// The size of an instance without the objects that it references; `nil` for the entry that stands for many
        /// types.
        let shallowBytes: Int?
        /// The index at which the stripes count the type.
        let slot: UInt32
        var ceiling = Ceiling()
        /// Whether a birth of the type has been recorded.
        var wasBorn = false
        /// Whether a rule leaves the type out; the program's code names it nevertheless, for example in an invariant.
        var isLeftOut = false
        /// Live instances that are counted but not listed.
        var unlisted = 0
        var unlistedPeak = 0
        var born = 0
        var died = 0
        var peak = 0

        var live: Int { born - died }
    }

    /// The types, by index.
    private(set) var entries: [Entry] = []
    /// How often a type without an entry of its own was looked up.
    private(set) var dropped = 0
    /// The most types that get entries of their own.
    let limit: Int

    /// The types without entries, because a rule leaves them out.
    var leftOut: LeftOutTypes

    private let owner: RegistryCore
    private var indices: [ObjectIdentifier: TypeIndex] = [:]
    private let overflowSlot: UInt32
    private var overflow: TypeIndex?
    private var nameCounts: [TypeName: Int] = [:]
    private static let slots = Locked(IndexPool(UInt32(LT_FIRST_TYPE) + 1..<1 << UInt32(LT_TYPE_BITS)))

    /// - Parameters:
    ///   - registry: The registry to which the types belong.
    ///   - limit: The most types that get entries of their own.
    init(of registry: RegistryCore, limit: Int) {
        owner = registry
        self.limit = limit
        leftOut = LeftOutTypes(limit: limit)
        // Reserved now, so that the overflow entry always has an index.
        guard let slot = Self.takeSlot() else {
            preconditionFailure("more than \(1 << LT_TYPE_BITS) types and registries exist at the same time")
        }
        overflowSlot = slot
    }

    /// Takes an index at which stripes can count; `nil` if all are in use, or if the system has no memory for it.
    static func takeSlot() -> UInt32? {
        guard let slot = slots.withLock({ $0.take() }) else { return nil }
        if lt_make_room_for_type(slot), lt_grow_counts(slot) { return slot }
        giveBackSlots([slot])
        return nil
    }

    /// Returns indices to the pool.
    ///
    /// Their counters must be zero.
    static func giveBackSlots(_ given: some Sequence<UInt32>) {
        slots.withLock { $0.giveBack(given) }
    }

    /// The indices of the types' counters in the stripes.
    var slots: [UInt32] { entries.map(\.slot) + (overflow == nil ? [overflowSlot] : []) }

    /// Returns the index of a type, and creates an entry on first use.
    mutating func index(of type: Any.Type) -> TypeIndex {
        let key = ObjectIdentifier(type)
        if let known = indices[key] { return known }
        guard entries.count < limit, let slot = Self.takeSlot() else { return overflowIndex() }
        let plainName = TypeName(of: type)
        let index = append(
            Entry(
                name: uniqueName(plainName), plainName: plainName,
                shallowBytes: (type as? AnyClass).map(instanceSize), slot: slot))
        indices[key] = index
        self[index].isLeftOut = leftOut.contains(type)
        return index
    }

    /// Returns the index of a type of which a birth is recorded; `nil` if a rule leaves the type out.
    mutating func indexOfBorn(_ type: Any.Type) -> TypeIndex? {
        if leavesOut(type) { return nil }
        let index = index(of: type)
        self[index].wasBorn = true
        return index
    }

    /// Whether a rule leaves out a type of which an instance is about to be born.
    mutating func leavesOut(_ type: Any.Type) -> Bool {
        let index = indices[ObjectIdentifier(type)]
        guard leftOut.leaves(out: type, wasBorn: index.map { self[$0].wasBorn } ?? false) else { return false }
        if let index { self[index].isLeftOut = true }
        return true
    }

    /// The name of a type that has an entry.
    func knownName(of type: Any.Type) -> TypeName? {
        indices[ObjectIdentifier(type)].map { self[$0].name }
    }

    subscript(index: TypeIndex) -> Entry {
        get { entries[Int(index.rawValue)] }
        set { entries[Int(index.rawValue)] = newValue }
    }

    private mutating func append(_ entry: Entry) -> TypeIndex {
        let index = TypeIndex(rawValue: Int32(entries.count))
        lt_set_type(entry.slot, owner.pointer, UInt32(index.rawValue))
        entries.append(entry)
        return index
    }

    /// Returns a name, with a number if another type has the same name, as private types in two files may.
    private mutating func uniqueName(_ name: TypeName) -> TypeName {
        var count = nameCounts[name, default: 0] + 1
        var numbered = count == 1 ? name : name.numbered(count)
        // A raw identifier can have the name that the number would make: `Screen (2)`.
        while count > 1, nameCounts[numbered] != nil {
            count += 1
            numbered = name.numbered(count)
        }
        nameCounts[name] = count
        if count > 1 { nameCounts[numbered] = 1 }
        return numbered
    }

    private mutating func overflowIndex() -> TypeIndex {
        dropped += 1
        if let overflow { return overflow }
        let name = TypeName(module: "", name: "(other types)")
        let index = append(Entry(name: name, plainName: name, shallowBytes: nil, slot: overflowSlot))
        overflow = index
        return index
    }
}

extension TypeName {
    fileprivate func numbered(_ number: Int) -> TypeName {
        TypeName(module: module, name: "\(name) (\(number))")
    }
}

/// Returns the size in bytes of an instance of a class without tail allocations.
///
/// This is the standard library's `_class_getInstancePositiveExtentSize(_:)`. `ManagedBuffer` calls it from inlined
/// code, so it is part of the library's stable ABI. Source code cannot call it by name.
@_silgen_name("$ss36_class_getInstancePositiveExtentSizeySiyXlXpF")
private func instanceSize(_ type: AnyClass) -> Int
