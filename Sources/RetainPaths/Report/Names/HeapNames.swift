import LifetimeTracer

/// The source of the names for the addresses that a search found.
///
/// The lookups are closures, so that a path can also be named with names that no loaded object contains.
struct HeapNames {
    /// The code or data at an address.
    struct NamedAddress {
        /// The name for users, as ``Symboliser`` returns it.
        var name: String
        /// The linker's name; `nil` if no symbol is known.
        var mangledName: String?
        /// The loaded file's name.
        var module: String
        /// The distance of the address from the symbol's start, in bytes.
        var offset: UInt
    }

    /// Returns the name of a type with its module, for the metadata of a class, a value or a box.
    var typeName: (UInt) -> TypeName?
    /// Returns the code or data at an address.
    var symbol: (UInt) -> NamedAddress?
    /// Returns the functions that resume together with the continuation that a task awaits, innermost first; none if
    /// the task awaits something else.
    var awaitedContinuation: (_ task: UInt) -> [UInt] = { _ in [] }
    /// Returns whether a task was cancelled.
    var isCancelled: (_ task: UInt) -> Bool = { _ in false }
}

extension HeapNames {
    /// The names of this process.
    ///
    /// The first name in a loaded object reads the object's symbols; see ``Symboliser``.
    static var process: Self {
        Self(
            typeName: { TypeMetadata(address: $0)?.name },
            symbol: { address in
                Symboliser.shared.symbol(at: address).map {
                    NamedAddress(name: $0.name, mangledName: $0.mangledName, module: $0.module, offset: $0.offset)
                }
            }, awaitedContinuation: AwaitedContinuation.functions, isCancelled: AwaitedContinuation.isCancelled)
    }
}

/// Metadata for which the runtime has a name.
///
/// Safe: the addresses come from objects that the search recognized as valid, and metadata is never freed.
private struct TypeMetadata {
    /// Metadata kinds (swift/ABI/MetadataKind.def): classes have 0, other types have 0x200 to 0x3FF.
    private static let classKind: UInt = 0
    private static let valueKinds: ClosedRange<UInt> = 0x200...0x3FF
    /// The kind of a generic variable's box, whose type is word 2 (swift/ABI/Metadata.h, TargetGenericBoxHeapMetadata).
    private static let genericBoxKind: UInt = 0x500
    private static let boxedTypeOffset = 2 * MemoryLayout<UInt>.size

    let name: TypeName

    init?(address: UInt) {
        // Safe: metadata is read-only or never freed, and is aligned as a word. The search has read the same word
        // before.
        guard address % UInt(MemoryLayout<UInt>.alignment) == 0, let place = UnsafeRawPointer(bitPattern: address)
        else { return nil }
        switch place.load(as: UInt.self) {
        case Self.classKind, Self.valueKinds:
            // Safe: a metatype is the address of its metadata.
            let type = unsafeBitCast(address, to: Any.Type.self)
            name = TypeName(reflected: _typeName(type, qualified: true))
        case Self.genericBoxKind:
            let boxed = place.load(fromByteOffset: Self.boxedTypeOffset, as: UInt.self)
            // The content of a box is a type and never another box, so the recursion ends.
            guard boxed != address, let inside = TypeMetadata(address: boxed) else { return nil }
            name = inside.name
        default:
            return nil
        }
    }
}
