import CRetainPaths
import LifetimeTracer

/// Makes layouts out of metadata and enters them into the table.
///
/// For one thread at a time; ``TypeLayouts`` sees to that. The parts of the work are in extensions: values, structs, enums, fields, objects,
/// contexts.
///
/// `@unchecked Sendable` is safe because whoever has taken it out of ``TypeLayouts`` is the only one to touch it.
final class LayoutCompiler: @unchecked Sendable {
    /// Types inside of types, and values inside of values, that are followed.
    static let depthLimit = 24

    let table = LayoutTable()
    let resolver = TypeResolver()
    var accessorNames = AccessorNames()
    var identities = TypeIdentities()
    var statistics = LayoutStatistics()

    /// Layouts of values by the metadata of their types.
    var values: [UInt: ValueLayout] = [:]
    /// That of every reference to an object.
    private(set) lazy var referenceIndex = enter(.reference, key: 0)

    /// The context in which the names of a type's properties are to be read.
    func context(of metadata: Metadata) -> GenericContext {
        guard let descriptor = metadata.descriptor else { return .none }
        guard descriptor.isGeneric, let arguments = metadata.genericArguments else {
            return .type(descriptor: descriptor, arguments: nil, identity: 0)
        }
        return .type(
            descriptor: descriptor, arguments: arguments, identity: identities.identity(of: metadata))
    }

    /// The index of the layout of values of a type, which is entered if it is not yet.
    func index(of metadata: Metadata, depth: Int = 0) -> rp_layout_index {
        if metadata.isClass { return referenceIndex }
        let known = table.find(metadata.address)
        if known != 0 { return known }
        let layout = value(metadata, depth: depth)
        return layout.cases != 0 ? layout.cases : enter(layout, key: metadata.address)
    }

    /// Enters the layout of a value.
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
