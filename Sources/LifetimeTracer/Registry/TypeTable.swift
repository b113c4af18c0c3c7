/// The index of a type in its registry.
struct TypeIndex: Sendable, Hashable {
    let rawValue: Int32
}

/// The traced types of a registry with their counters.
///
/// Not locked: it is part of the state inside the lock of ``InstanceStore``. Bounded: types past ``limit`` share the last
/// entry, which then stands for "other types".
struct TypeTable: Sendable {
    /// What is known of a type.
    struct Entry: Sendable {
        let name: TypeName
        /// The size of an instance without what it refers to; `nil` for the entry that stands for many types.
        let shallowBytes: Int?
        var born: UInt64 = 0
        var died: UInt64 = 0
        var peak: UInt64 = 0

        var live: UInt64 { born - died }
    }

    /// The types, by index.
    private(set) var entries: [Entry] = []
    /// Uses of types that found no place of their own.
    private(set) var dropped: UInt64 = 0
    /// The most types that get an entry of their own.
    let limit: Int

    private var indices: [ObjectIdentifier: TypeIndex] = [:]
    private var overflow: TypeIndex?
    private var nameCounts: [TypeName: Int] = [:]

    init(limit: Int) {
        self.limit = limit
    }

    /// The index of a type; makes an entry at its first use.
    mutating func index(of type: Any.Type) -> TypeIndex {
        let key = ObjectIdentifier(type)
        if let known = indices[key] { return known }
        if entries.count >= limit { return overflowIndex() }
        let index = TypeIndex(rawValue: Int32(entries.count))
        entries.append(Entry(name: uniqueName(of: type), shallowBytes: (type as? AnyClass).map(instanceSize)))
        indices[key] = index
        return index
    }

    /// The name of a type that has an entry.
    func knownName(of type: Any.Type) -> TypeName? {
        indices[ObjectIdentifier(type)].map { entries[Int($0.rawValue)].name }
    }

    mutating func countBirth(_ index: TypeIndex) {
        let position = Int(index.rawValue)
        entries[position].born += 1
        entries[position].peak = max(entries[position].peak, entries[position].live)
    }

    mutating func countDeath(_ index: TypeIndex) {
        let position = Int(index.rawValue)
        precondition(entries[position].live > 0, "more deaths than births of \(entries[position].name)")
        entries[position].died += 1
    }

    /// The name of a type, numbered when another type has it too, as private types in two files may.
    private mutating func uniqueName(of type: Any.Type) -> TypeName {
        let name = TypeName(of: type)
        let count = nameCounts[name, default: 0] + 1
        nameCounts[name] = count
        return count == 1 ? name : TypeName(module: name.module, name: "\(name.name) (\(count))")
    }

    private mutating func overflowIndex() -> TypeIndex {
        dropped += 1
        if let overflow { return overflow }
        let index = TypeIndex(rawValue: Int32(entries.count))
        entries.append(Entry(name: TypeName(module: "", name: "(other types)"), shallowBytes: nil))
        overflow = index
        return index
    }
}

/// The size in bytes of an instance of a class without tail allocations.
///
/// The standard library's `_class_getInstancePositiveExtentSize(_:)`, which `ManagedBuffer` calls from inlined code and which
/// is therefore part of the library's stable interface; it has no name that source code can use.
@_silgen_name("$ss36_class_getInstancePositiveExtentSizeySiyXlXpF")
private func instanceSize(_ type: AnyClass) -> Int
