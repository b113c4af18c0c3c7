import CRetainPaths
import LifetimeTracer

/// Compiles metadata to layouts and adds them to the table.
///
/// Only one thread at a time may use a compiler; ``TypeLayouts`` ensures that. Extensions contain the parts of the
/// work: values, structs, enums, fields, objects, contexts.
///
/// `@unchecked Sendable` is safe because only the thread that has taken the compiler out of ``TypeLayouts`` uses it.
final class LayoutCompiler: @unchecked Sendable {
    /// The depth to which types inside types, and values inside values, are followed.
    static let depthLimit = 24

    let table = LayoutTable()
    let resolver = TypeResolver()
    var accessorNames = AccessorNames()
    var identities = TypeIdentities()
    var statistics = LayoutStatistics()

    /// The layouts of values, by the metadata of their types.
    var values: [UInt: ValueLayout] = [:]
    /// The generic arguments of structs without metadata, by their identities; see ``describedStruct(_:in:depth:)``.
    var argumentVectors: [UInt64: UnsafeRawPointer] = [:]
    /// The index of the layout that all references to objects share.
    private(set) lazy var referenceIndex = enter(.reference, key: 0)

    /// The generic context for the names of the types of a type's properties.
    func context(of metadata: Metadata) -> GenericContext {
        guard let descriptor = metadata.descriptor else { return .none }
        guard descriptor.isGeneric, let arguments = metadata.genericArguments else {
            return .type(descriptor: descriptor, arguments: nil, identity: 0)
        }
        return .type(
            descriptor: descriptor, arguments: arguments, identity: identities.identity(of: metadata))
    }

    /// The index of the layout of a type's values.
    ///
    /// The layout is added if it does not exist.
    func index(of metadata: Metadata, depth: Int = 0) -> rp_layout_index {
        if metadata.isClass { return referenceIndex }
        let known = table.find(metadata.address)
        if known != 0 { return known }
        let layout = value(metadata, depth: depth)
        return layout.cases != 0 ? layout.cases : enter(layout, key: metadata.address)
    }

    /// Adds the layout of a value.
    func enter(_ layout: ValueLayout, key: UInt) -> rp_layout_index {
        var entry = rp_layout()
        entry.kind = UInt8(RP_LAYOUT_VALUE.rawValue)
        entry.size = UInt32(clamping: layout.size)
        entry.stride = UInt32(clamping: layout.stride)
        entry.alignment = UInt32(clamping: layout.alignment)
        entry.key_kind = UInt8(layout.key.rawValue)
        entry.setFlag(RP_LAYOUT_IS_PLAIN, layout.isPlain)
        entry.setFlag(RP_LAYOUT_IS_PARTLY_CONSERVATIVE, layout.isPartlyConservative)
        return table.add(key: key, entry, layout.slots)
    }
}

extension rp_layout {
    mutating func setFlag(_ flag: rp_layout_flags, _ isSet: Bool) {
        if isSet { flags |= UInt8(flag.rawValue) } else { flags &= ~UInt8(flag.rawValue) }
    }
}
