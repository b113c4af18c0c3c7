import LifetimeTracer

/// Where the names of what a search found come from.
///
/// Two functions, so that a path can also be read from names that no loaded object has.
struct HeapNames {
    /// What lies at an address of code or data.
    struct NamedAddress {
        /// The name for people, as ``Symboliser`` gives it.
        var name: String
        /// As the linker knows it; `nil` where no symbol is known.
        var mangledName: String?
        /// The loaded file's name.
        var module: String
        /// How far the address is behind the symbol's start, bytes.
        var offset: UInt
    }

    /// The name of a type with its module, for the metadata of a class, a value or a box.
    var typeName: (UInt) -> TypeName?
    /// What lies at an address.
    var symbol: (UInt) -> NamedAddress?
    /// The functions that go on when the continuation for which a task waits is resumed, innermost first; none where the task waits for
    /// anything else.
    var awaitedContinuation: (_ task: UInt) -> [UInt] = { _ in [] }
}

extension HeapNames {
    /// The names of this process.
    ///
    /// The first name in a loaded object reads its symbols; see ``Symboliser``.
    static var process: Self {
        Self(
            typeName: { TypeMetadata(address: $0)?.name },
            symbol: { address in
                Symboliser.shared.symbol(at: address).map {
                    NamedAddress(name: $0.name, mangledName: $0.mangledName, module: $0.module, offset: $0.offset)
                }
            }, awaitedContinuation: AwaitedContinuation.functions)
    }
}

/// Metadata from which the runtime can tell a name.
///
/// The addresses come from objects that the search took for valid; metadata is never freed.
private struct TypeMetadata {
    /// Metadata kinds (swift/ABI/MetadataKind.def): classes have 0, other types from 0x200 to 0x3FF.
    private static let classKind: UInt = 0
    private static let valueKinds: ClosedRange<UInt> = 0x200...0x3FF
    /// A box of a generic variable, whose type is word 2 (swift/ABI/Metadata.h, TargetGenericBoxHeapMetadata).
    private static let genericBoxKind: UInt = 0x500
    private static let boxedTypeOffset = 2 * MemoryLayout<UInt>.size

    let name: TypeName

    init?(address: UInt) {
        // Metadata is read-only or never freed, and aligned as a word; the search has read the same word before.
        guard address % UInt(MemoryLayout<UInt>.alignment) == 0, let place = UnsafeRawPointer(bitPattern: address)
        else { return nil }
        switch place.load(as: UInt.self) {
        case Self.classKind, Self.valueKinds:
            // A metatype is the address of its metadata.
            let type = unsafeBitCast(address, to: Any.Type.self)
            name = TypeName(reflected: _typeName(type, qualified: true))
        case Self.genericBoxKind:
            let boxed = place.load(fromByteOffset: Self.boxedTypeOffset, as: UInt.self)
            // A box's type is a type, never another box; so this ends.
            guard boxed != address, let inside = TypeMetadata(address: boxed) else { return nil }
            name = inside.name
        default:
            return nil
        }
    }
}
