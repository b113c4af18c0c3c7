/// Numbers for types that are the same in a throwaway process, in which the runtime may make metadata at another
/// address.
///
/// A number is a hash of addresses in loaded files, such as those of the descriptors of types and protocols. Two types
/// share a number about as often as two random 64-bit numbers are equal.
struct TypeIdentities {
    private static let depthLimit = 24

    private var known: [UInt: UInt64] = [:]

    /// The number of a type.
    ///
    /// The first call for a type reads all its generic arguments.
    mutating func identity(of metadata: Metadata) -> UInt64 {
        identity(of: metadata, depth: 0)
    }

    /// The hash of words.
    ///
    /// Arguments that are not types are hashed as words.
    static func combine(_ words: some Sequence<UInt64>) -> UInt64 {
        // A multiplication by an odd number and a shift, as in MurmurHash3's finalizer.
        words.reduce(0x9E37_79B9_7F4A_7C15) { hash, word in
            let mixed = (hash ^ word) &* 0xff51_afd7_ed55_8ccd
            return mixed ^ mixed >> 32
        }
    }

    private mutating func identity(of metadata: Metadata?, depth: Int) -> UInt64 {
        guard let metadata, depth < Self.depthLimit else { return 0 }
        if let found = known[metadata.address] { return found }
        let identity = Self.combine(parts(of: metadata, depth: depth + 1))
        known[metadata.address] = identity
        return identity
    }

    private mutating func parts(of metadata: Metadata, depth: Int) -> [UInt64] {
        let kind = UInt64(metadata.pointer.read(0, as: UInt.self))
        switch metadata.kind {
        case .aClass, .aStruct, .anEnum, .optional:
            guard let descriptor = metadata.descriptor else { return [UInt64(metadata.address)] }
            return [UInt64(descriptor.pointer.address)] + arguments(of: metadata, descriptor, depth: depth)
        case .tuple:
            let tuple = TupleMetadata(metadata)
            return [kind] + (0..<min(tuple.count, 64)).map { identity(of: tuple[$0]?.type, depth: depth) }
        case .function:
            let function = FunctionMetadata(metadata)
            return [kind, UInt64(function.flags), identity(of: function.result, depth: depth)]
                + function.parameters.map { identity(of: $0, depth: depth) }
        case .existential:
            let existential = ExistentialMetadata(metadata)
            return [kind, UInt64(existential.identity)] + existential.constraints.map(UInt64.init)
        case .extendedExistential:
            let existential = ExtendedExistentialMetadata(metadata)
            guard let shape = existential.shape, let arguments = existential.arguments else {
                return [kind, UInt64(metadata.address)]
            }
            return [kind, UInt64(shape.address)] + arguments.map { identity(of: $0, depth: depth) }
        case .metatype, .existentialMetatype:
            return [kind, identity(of: MetatypeMetadata(metadata).instance, depth: depth)]
        case .fixedArray:
            let array = FixedArrayMetadata(metadata)
            return [kind, UInt64(truncatingIfNeeded: array.count), identity(of: array.element, depth: depth)]
        default:
            // The metadata of builtin types is in the runtime's file.
            return [kind, UInt64(metadata.address)]
        }
    }

    private mutating func arguments(of metadata: Metadata, _ descriptor: ContextDescriptor, depth: Int) -> [UInt64] {
        guard let parameters = descriptor.genericParameters, let arguments = metadata.genericArguments else {
            return []
        }
        guard let kinds = parameters.kindsWithArguments else { return [UInt64(metadata.address)] }
        let packs = kinds.count { $0 == .pack }
        // A type has at most one pack, unless it is inside another type that has one.
        guard packs <= 1 else { return [UInt64(metadata.address)] }
        return kinds.enumerated().flatMap { index, kind -> [UInt64] in
            // With a pack, the first argument is the number of its elements.
            let word: UInt = arguments.read((packs + index) * wordSize)
            switch kind {
            case .type: return [identity(of: Metadata(address: word), depth: depth)]
            case .pack:
                guard let elements = GenericEnvironment.elements(at: word, arguments.read(0)) else {
                    return [UInt64(word)]
                }
                return [UInt64(elements.count)] + elements.map { identity(of: $0, depth: depth) }
            case .value: return [UInt64(word)]
            }
        }
    }
}
