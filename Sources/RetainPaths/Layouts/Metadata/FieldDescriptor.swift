/// The stored properties of a class or struct, or the cases of an enum (swift/RemoteInspection/Records.h,
/// FieldDescriptor).
struct FieldDescriptor {
    private let pointer: UnsafeRawPointer

    init(_ pointer: UnsafeRawPointer) {
        self.pointer = pointer
    }

    private var recordSize: Int { Int(pointer.read(10, as: UInt16.self)) }
    var count: Int { Int(pointer.read(12, as: UInt32.self)) }

    subscript(index: Int) -> FieldRecord {
        FieldRecord(pointer + 16 + index * recordSize)
    }
}

/// A stored property or a case (swift/RemoteInspection/Records.h, FieldRecord).
struct FieldRecord {
    private let pointer: UnsafeRawPointer

    init(_ pointer: UnsafeRawPointer) {
        self.pointer = pointer
    }

    /// Whether a case stores its payload in a box: IsIndirectCase.
    var isIndirect: Bool { pointer.read(0, as: UInt32.self) & 1 != 0 }
    /// `nil` for cases without a payload, and if reflection is disabled.
    var typeName: MangledName? { pointer.relative(4).map(MangledName.init) }

    /// The name in the source.
    var name: String {
        let name = pointer.relative(8)?.text ?? ""
        return name.hasPrefix(Self.lazyPrefix) ? String(name.dropFirst(Self.lazyPrefix.count)) : name
    }

    /// The compiler's prefix for the storage of a lazy property (lib/AST/Decl.cpp, getLazyStorageProperty).
    private static let lazyPrefix = "$__lazy_storage_$_"
}
