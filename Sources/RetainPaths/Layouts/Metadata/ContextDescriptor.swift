/// The compiler's description of a class, struct or enum, which all its generic versions share (swift/ABI/Metadata.h,
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
    /// ContextDescriptorKind::Anonymous: a function, or the context of a private declaration.
    var isAnonymous: Bool { flags & 0x1F == 2 }
    var isGeneric: Bool { flags & 0x80 != 0 }
    /// Class_IsActor, bit 7 of the kind's flags.
    var isActor: Bool { kind == .aClass && flags & 1 << 23 != 0 }
    /// Class_HasResilientSuperclass, bit 13 of the kind's flags.
    var hasResilientSuperclass: Bool { flags & 1 << 29 != 0 }
    /// Class_AreImmediateMembersNegative, bit 12 of the kind's flags.
    private var hasNegativeMembers: Bool { flags & 1 << 28 != 0 }

    var parent: ContextDescriptor? {
        // RelativeIndirectablePointer: the lowest bit is set if the target is a pointer to the descriptor.
        let distance = Int(pointer.read(4, as: Int32.self))
        guard distance != 0 else { return nil }
        let target = pointer + 4 + (distance & ~1)
        return distance & 1 == 0 ? Self(target) : target.pointer(0).map(Self.init)
    }

    var name: String { pointer.relative(8)?.text ?? "" }

    /// The name of the module.
    ///
    /// At most 32 enclosing contexts are read.
    var moduleName: String {
        var context: Self? = self
        for _ in 0..<32 {
            guard let current = context else { break }
            if current.kind == .module { return current.name }
            context = current.parent
        }
        return ""
    }

    /// Whether this is the type of the standard library with the given name.
    ///
    /// In the ABI, the concurrency library belongs to the standard library.
    func isStandard(_ name: String) -> Bool {
        self.name == name && moduleName == "Swift"
    }

    var fields: FieldDescriptor? { pointer.relative(16).map(FieldDescriptor.init) }

    /// The number of stored properties: NumFields of TargetClassDescriptor or TargetStructDescriptor.
    var fieldCount: Int {
        switch kind {
        case .aClass: Int(pointer.read(36, as: UInt32.self))
        case .aStruct: Int(pointer.read(20, as: UInt32.self))
        default: 0
        }
    }

    /// The position of the field offsets in the metadata, in words; `nil` if there are none.
    ///
    /// With a resilient superclass, it counts from the class's own members, of which the offsets may be the first.
    var fieldOffsetVector: Int? {
        let words: UInt32
        switch kind {
        case .aClass:
            words = pointer.read(40)
            if words == 0, hasResilientSuperclass { return 0 }
        case .aStruct: words = pointer.read(24)
        default: return nil
        }
        return words == 0 ? nil : Int(words)
    }

    /// The number of an enum's cases with a payload: the lower 24 bits of NumPayloadCasesAndPayloadSizeOffset.
    var payloadCaseCount: Int { Int(pointer.read(20, as: UInt32.self) & 0xFF_FFFF) }

    /// The position of a class's own members in its metadata, in bytes
    /// (TargetClassDescriptor::getImmediateMembersOffset).
    var immediateMembersOffset: Int? {
        guard kind == .aClass else { return nil }
        if hasResilientSuperclass {
            // ResilientMetadataBounds: StoredClassMetadataBounds, which the runtime fills in at the first use of the
            // class.
            return pointer.relative(24)?.read(0, as: Int.self)
        }
        if hasNegativeMembers {
            // MetadataNegativeSizeInWords
            return -Int(pointer.read(24, as: UInt32.self)) * wordSize
        }
        // MetadataPositiveSizeInWords minus NumImmediateMembers
        return (Int(pointer.read(28, as: UInt32.self)) - Int(pointer.read(32, as: UInt32.self))) * wordSize
    }

    /// The generic parameters; `nil` for a type that is not generic.
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
    private var requirementCount: Int { Int(pointer.read(10, as: UInt16.self)) }

    /// The kinds of the parameters that have an argument of their own, in the order of the arguments.
    ///
    /// `nil` if there is a kind that this code does not know.
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

    /// The parameters whose arguments are always references to objects: those that are constrained to `AnyObject` or to
    /// a class.
    var references: Set<GenericParameter> {
        var references: Set<GenericParameter> = []
        // GenericRequirementDescriptor, of 12 bytes, behind the bytes of the parameters: flags with the kind in the
        // lowest five bits, the name of the parameter, and a layout of which there is only that of a class.
        let start = pointer + 16 + (count + 3) / 4 * 4
        for index in 0..<requirementCount {
            let requirement = start + index * 12
            let kind = requirement.read(0, as: UInt32.self) & 0x1F
            guard kind == Self.baseClass || kind == Self.layout,
                let parameter = requirement.relative(4).map(MangledName.init)?.parameter
            else { continue }
            references.insert(parameter)
        }
        return references
    }

    /// GenericRequirementKind (swift/ABI/MetadataValues.h).
    private static let baseClass: UInt32 = 2, layout: UInt32 = 0x1F
}
