/// What the compiler says of a class, struct or enum, once for all its generic versions (swift/ABI/Metadata.h,
/// TargetTypeContextDescriptor).
struct ContextDescriptor: Hashable {
    /// ContextDescriptorKind (swift/ABI/MetadataValues.h).
    enum Kind: UInt32 {
        case module = 0
        case aClass = 16
        case aStruct = 17
        case anEnum = 18
    }

    let pointer: UnsafeRawPointer

    init(_ pointer: UnsafeRawPointer) {
        self.pointer = pointer
    }

    /// ContextDescriptorFlags, with the flags of the kind in the upper half.
    private var flags: UInt32 { pointer.read(0) }

    var kind: Kind? { Kind(rawValue: flags & 0x1F) }
    /// ContextDescriptorKind::Anonymous: a function, or what a private declaration is in.
    var isAnonymous: Bool { flags & 0x1F == 2 }
    var isGeneric: Bool { flags & 0x80 != 0 }
    /// Class_HasResilientSuperclass, bit 13 of the kind's flags.
    var hasResilientSuperclass: Bool { flags & 1 << 29 != 0 }
    /// Class_AreImmediateMembersNegative, bit 12 of the kind's flags.
    private var hasNegativeMembers: Bool { flags & 1 << 28 != 0 }

    var parent: ContextDescriptor? {
        // RelativeIndirectablePointer: the lowest bit says that there is a pointer to the pointer.
        let distance = Int(pointer.read(4, as: Int32.self))
        guard distance != 0 else { return nil }
        let target = pointer + 4 + (distance & ~1)
        return distance & 1 == 0 ? Self(target) : target.pointer(0).map(Self.init)
    }

    var name: String { pointer.relative(8)?.text ?? "" }

    /// The module, through at most so many contexts as anybody nests.
    var moduleName: String {
        var context: Self? = self
        for _ in 0..<32 {
            guard let current = context else { break }
            if current.kind == .module { return current.name }
            context = current.parent
        }
        return ""
    }

    /// Whether this is a type with a name of the standard library, to which for the ABI that of concurrency belongs.
    func isStandard(_ name: String) -> Bool {
        self.name == name && moduleName == "Swift"
    }

    var fields: FieldDescriptor? { pointer.relative(16).map(FieldDescriptor.init) }

    /// How many stored properties there are: NumFields of TargetClassDescriptor or TargetStructDescriptor.
    var fieldCount: Int {
        switch kind {
        case .aClass: Int(pointer.read(36, as: UInt32.self))
        case .aStruct: Int(pointer.read(20, as: UInt32.self))
        default: 0
        }
    }

    /// Where the field offsets are in the metadata, in words; `nil` where there are none.
    var fieldOffsetVector: Int? {
        let words: UInt32
        switch kind {
        case .aClass: words = pointer.read(40)
        case .aStruct: words = pointer.read(24)
        default: return nil
        }
        return words == 0 ? nil : Int(words)
    }

    /// How many cases of an enum have a payload: the lower 24 bits of NumPayloadCasesAndPayloadSizeOffset.
    var payloadCaseCount: Int { Int(pointer.read(20, as: UInt32.self) & 0xFF_FFFF) }

    /// Where a class's own members begin in its metadata, in bytes (TargetClassDescriptor::getImmediateMembersOffset).
    var immediateMembersOffset: Int? {
        guard kind == .aClass else { return nil }
        if hasResilientSuperclass {
            // ResilientMetadataBounds: StoredClassMetadataBounds, filled in when the class is first used.
            return pointer.relative(24)?.read(0, as: Int.self)
        }
        if hasNegativeMembers {
            // MetadataNegativeSizeInWords
            return -Int(pointer.read(24, as: UInt32.self)) * wordSize
        }
        // MetadataPositiveSizeInWords less NumImmediateMembers
        return (Int(pointer.read(28, as: UInt32.self)) - Int(pointer.read(32, as: UInt32.self))) * wordSize
    }

    /// The generic parameters that have an argument, `nil` for a type without.
    var genericParameters: GenericParameters? {
        guard isGeneric else { return nil }
        // The header follows TargetClassDescriptor, or TargetStructDescriptor and TargetEnumDescriptor.
        return GenericParameters(pointer + (kind == .aClass ? 44 : 28))
    }
}

/// The generic parameters of a type (swift/ABI/GenericContext.h, TargetTypeGenericContextDescriptorHeader).
struct GenericParameters {
    /// GenericParamKind.
    enum Kind: UInt8 {
        case type = 0
        case pack = 1
        case value = 2
    }

    private let pointer: UnsafeRawPointer

    init(_ pointer: UnsafeRawPointer) {
        self.pointer = pointer
    }

    private var count: Int { Int(pointer.read(8, as: UInt16.self)) }

    /// The kinds of those parameters that have an argument of their own, in the order of the arguments.
    ///
    /// `nil` for kinds that came later than this code.
    var kindsWithArguments: [Kind]? {
        // GenericParamDescriptor: the kind in the lower six bits, HasKeyArgument in the highest.
        var kinds: [Kind] = []
        for index in 0..<count {
            let flags: UInt8 = pointer.read(16 + index)
            guard flags & 0x80 != 0 else { continue }
            guard let kind = Kind(rawValue: flags & 0x3F) else { return nil }
            kinds.append(kind)
        }
        return kinds
    }
}
