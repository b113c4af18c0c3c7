/// Type or heap metadata (swift/ABI/Metadata.h, TargetMetadata).
struct Metadata: Hashable {
    /// The kind of a metadata (swift/ABI/MetadataKind.def).
    enum Kind: UInt {
        case aClass = 0
        case aStruct = 0x200
        case anEnum = 0x201
        case optional = 0x202
        case foreignClass = 0x203
        case foreignReference = 0x204
        case opaque = 0x300
        case tuple = 0x301
        case function = 0x302
        case existential = 0x303
        case metatype = 0x304
        case objectiveCWrapper = 0x305
        case existentialMetatype = 0x306
        case extendedExistential = 0x307
        case fixedArray = 0x308
        case context = 0x400
        case genericBox = 0x500
        case errorBox = 0x501
        case task = 0x502
        case job = 0x503
    }

    /// The largest word that is a kind.
    ///
    /// A larger word makes the metadata that of a class (LastEnumeratedMetadataKind).
    private static let lastKind: UInt = 0x7FF

    let pointer: UnsafeRawPointer

    init(_ pointer: UnsafeRawPointer) {
        self.pointer = pointer
    }

    init?(address: UInt) {
        guard address.isMultiple(of: UInt(wordSize)), let pointer = UnsafeRawPointer(bitPattern: address) else {
            return nil
        }
        self.pointer = pointer
    }

    init(of type: Any.Type) {
        // A metatype value is the pointer to the metadata.
        pointer = unsafeBitCast(type, to: UnsafeRawPointer.self)
    }

    var address: UInt { pointer.address }

    /// `nil` for kinds that this code does not know.
    var kind: Kind? {
        let word = pointer.read(0, as: UInt.self)
        return word > Self.lastKind ? .aClass : Kind(rawValue: word)
    }

    /// Whether values of the type are references to objects of any kind.
    var isClass: Bool {
        switch kind {
        case .aClass, .foreignClass, .objectiveCWrapper: true
        default: false
        }
    }

    /// `nil` for functions with the convention of C blocks.
    ///
    /// On systems without Objective-C, the runtime makes metadata for these functions without filling in the witnesses.
    var witnesses: ValueWitnesses? {
        if kind == .function, FunctionMetadata(self).isBlock { return nil }
        return pointer.pointer(-wordSize).map(ValueWitnesses.init)
    }

    /// The descriptor of a class, struct or enum.
    var descriptor: ContextDescriptor? {
        switch kind {
        case .aClass: ClassMetadata(self).descriptor
        // TargetValueMetadata: Description.
        case .aStruct, .anEnum, .optional: pointer.pointer(wordSize).map(ContextDescriptor.init)
        default: nil
        }
    }

    /// The generic arguments, metadata first.
    ///
    /// The type must be generic according to its descriptor.
    var genericArguments: UnsafeRawPointer? {
        switch kind {
        case .aClass: ClassMetadata(self).genericArguments
        // TargetStructMetadata and TargetEnumMetadata: getGenericArgumentOffset.
        case .aStruct, .anEnum, .optional: pointer + 2 * wordSize
        default: nil
        }
    }
}

/// The value witness table (swift/ABI/ValueWitness.def): eight functions, then the fields that are read here.
struct ValueWitnesses {
    let pointer: UnsafeRawPointer

    var size: Int { pointer.read(64) }
    var stride: Int { pointer.read(72) }
    /// TargetValueWitnessFlags (swift/ABI/MetadataValues.h).
    private var flags: UInt32 { pointer.read(80) }

    var alignment: Int { Int(flags & 0xFF) + 1 }
    /// Whether copying and destroying a value need no code: IsNonPOD is not set.
    var isPlain: Bool { flags & 0x1_0000 == 0 }
    /// Whether a buffer of three words contains the value itself, not its address: IsNonInline is not set.
    var isInline: Bool { flags & 0x2_0000 == 0 }
    /// Whether the size is known: Incomplete is not set.
    var isComplete: Bool { flags & 0x40_0000 == 0 }
}
