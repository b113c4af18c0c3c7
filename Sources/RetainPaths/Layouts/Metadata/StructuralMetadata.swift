/// A tuple type (swift/ABI/Metadata.h, TargetTupleTypeMetadata).
struct TupleMetadata {
    private let pointer: UnsafeRawPointer

    init(_ metadata: Metadata) {
        pointer = metadata.pointer
    }

    var count: Int { pointer.read(8) }

    /// The type and offset of an element.
    subscript(index: Int) -> (type: Metadata, offset: Int)? {
        let element = 24 + index * 2 * wordSize
        // The offset has 32 bits (64 on Darwin). The padding behind it may contain anything.
        let offset: UInt32 = pointer.read(element + wordSize)
        return pointer.pointer(element).map { (Metadata($0), Int(offset)) }
    }

    /// The labels, empty for elements without one.
    var labels: [String] {
        // A space ends each label, including the last one.
        guard let text = pointer.pointer(16)?.text else { return Array(repeating: "", count: count) }
        let labels = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        return (0..<count).map { $0 < labels.count ? labels[$0] : "" }
    }
}

/// An existential type of protocols (swift/ABI/Metadata.h, TargetExistentialTypeMetadata).
struct ExistentialMetadata {
    enum Representation { case opaque, aClass, error }

    private let pointer: UnsafeRawPointer

    init(_ metadata: Metadata) {
        pointer = metadata.pointer
    }

    /// ExistentialTypeFlags: bits 24 to 29 are the special protocol (1 is Error).
    ///
    /// The highest bit is set if the type is not limited to classes.
    private var flags: UInt32 { pointer.read(8) }

    var representation: Representation {
        if flags >> 24 & 0x3F == 1 { return .error }
        return flags >> 31 == 0 ? .aClass : .opaque
    }

    /// The superclass constraint, if there is one, and the protocols.
    var constraints: [UInt] {
        let hasSuperclass = flags & 0x4000_0000 != 0
        let count = Int(pointer.read(12, as: UInt32.self)) + (hasSuperclass ? 1 : 0)
        return (0..<min(count, 64)).map { pointer.read(16 + $0 * wordSize) }
    }

    var identity: UInt32 { flags }
}

/// An existential type with constraints on associated types (swift/ABI/Metadata.h,
/// TargetExtendedExistentialTypeMetadata).
struct ExtendedExistentialMetadata {
    /// ExtendedExistentialTypeShapeFlags, SpecialKind.
    enum Representation: UInt32 {
        case opaque = 0
        case aClass = 1
        case metatype = 2
        case explicitLayout = 3
    }

    private let pointer: UnsafeRawPointer
    /// What all types of the same form share; it is in a loaded file.
    let shape: UnsafeRawPointer?

    init(_ metadata: Metadata) {
        pointer = metadata.pointer
        shape = metadata.pointer.pointer(wordSize)
    }

    var representation: Representation? {
        flags.flatMap { Representation(rawValue: $0 & 0xFF) }
    }

    /// The types that the shape leaves open, such as `Int` of `any Sequence<Int>`; `nil` if their number is not known.
    var arguments: [Metadata]? {
        guard let shape, let flags else { return nil }
        guard flags & Self.hasGeneralizationSignature != 0 else { return [] }
        // Only then is there one argument for each parameter, in front of the witness tables.
        guard flags & Self.hasImplicitParameters != 0, flags & Self.hasPacks == 0 else { return nil }
        // TargetExtendedExistentialTypeShape: flags, name and ReqSigHeader, then the other signature's header, which
        // begins with the number of parameters.
        let count = Int(shape.read(16, as: UInt16.self))
        return (0..<count).compactMap { pointer.pointer((2 + $0) * wordSize).map(Metadata.init) }
    }

    /// ExtendedExistentialTypeShapeFlags (swift/ABI/MetadataValues.h).
    private static let hasGeneralizationSignature: UInt32 = 0x100, hasImplicitParameters: UInt32 = 0x1000
    private static let hasPacks: UInt32 = 0x2000

    private var flags: UInt32? { shape?.read(0, as: UInt32.self) }
}

/// A function type (swift/ABI/Metadata.h, TargetFunctionTypeMetadata).
struct FunctionMetadata {
    private let pointer: UnsafeRawPointer

    init(_ metadata: Metadata) {
        pointer = metadata.pointer
    }

    /// TargetFunctionTypeFlags: the number of parameters in the lower 16 bits, then 8 bits for the convention.
    var flags: UInt { pointer.read(8) }
    var result: Metadata? { pointer.pointer(16).map(Metadata.init) }
    var parameters: [Metadata] {
        (0..<Int(flags & 0xFFFF)).compactMap { pointer.pointer(24 + $0 * wordSize).map(Metadata.init) }
    }
    /// FunctionMetadataConvention: 0 is Swift's, which has a context; 1 is that of C blocks.
    private var convention: UInt { flags >> 16 & 0xFF }
    var hasContext: Bool { convention == 0 }
    var isBlock: Bool { convention == 1 }
}

/// An array of fixed size (swift/ABI/Metadata.h, TargetFixedArrayTypeMetadata).
struct FixedArrayMetadata {
    private let pointer: UnsafeRawPointer

    init(_ metadata: Metadata) {
        pointer = metadata.pointer
    }

    var count: Int { pointer.read(8) }
    var element: Metadata? { pointer.pointer(16).map(Metadata.init) }
}

/// The metatype of a type (swift/ABI/Metadata.h, TargetMetatypeMetadata).
struct MetatypeMetadata {
    let instance: Metadata?

    init(_ metadata: Metadata) {
        instance = metadata.pointer.pointer(8).map(Metadata.init)
    }
}
