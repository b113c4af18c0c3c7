/// What can be told of a type from its mangled name, without asking the runtime.
enum NameShape: Equatable {
    /// One word that is a strong reference: to an object of a class, a box, or the storage of a collection.
    case reference
    /// A function with a context; `isEscaping` is false where the context is on a stack.
    case function(isEscaping: Bool, isOptional: Bool)
    /// One word without references: a function without a context, a metatype.
    case plainWord
    /// Nothing: a metatype that is known at compile time.
    case nothing
    /// A block of C: one word, a pointer to raw memory.
    case block
    /// A type that is made by a function of the program.
    case accessor
    /// For the runtime to say.
    case type
    /// The runtime cannot build it, and may end the program if it is asked.
    case refused(Refusal)

    /// Why the runtime is not asked for a type.
    enum Refusal: Hashable, Sendable {
        /// It breaks off, or is longer than anybody writes.
        case damaged
        /// Lowered function types inside of other types: the runtime has no metadata for them, and on the way to that answer it ends
        /// the program for the associated types of their parameters.
        case loweredFunction
        /// A box inside of another type, which only exists in machine code.
        case box
        /// It depends on a generic parameter for which there is no argument.
        case unboundParameter
        /// It depends on a pack of generic parameters where no type's context gives the pack.
        case unboundPack
    }
}

/// How a property refers to its object: the suffix of its type's name.
enum Ownership {
    case weak
    case unowned
    case unmanaged
}

extension MangledName {
    /// Longer names take the runtime long, and recursion deep.
    private static let askedLength = 2_048

    /// The ownership, and the name without it.
    var ownership: (Ownership, MangledName)? {
        guard count > 2, start[count - 2] == UInt8(ascii: "X") else { return nil }
        switch start[count - 1] {
        case UInt8(ascii: "w"): return (.weak, dropping(2))
        case UInt8(ascii: "o"): return (.unowned, dropping(2))
        case UInt8(ascii: "u"): return (.unmanaged, dropping(2))
        default: return nil
        }
    }

    /// The parameter pack of which this is the tuple of all elements: `xxQp_t`, for `(repeat each Value)`.
    var tupleOfPack: GenericParameter? {
        guard let tokens = NameTokens.tokens(of: self), tokens.count == 5, case .parameter(let pack) = tokens[0].kind,
            tokens[1].kind == .parameter(pack), tokens[2].kind == .pack, tokens[3].kind == .other("_"),
            tokens[4].kind == .other("t") || tokens[4].kind == .other("QP")
        else { return nil }
        return start[tokens[2].range.upperBound - 1] == UInt8(ascii: "p") ? pack : nil
    }

    /// What can be told of the type.
    ///
    /// - Parameter isBound: Whether there is an argument for a generic parameter.
    func shape(isBound: (GenericParameter) -> Bool, hasPacks: Bool) -> NameShape {
        guard count <= Self.askedLength, let tokens = NameTokens.tokens(of: self), let last = tokens.last else {
            return .refused(.damaged)
        }
        let depth = tokens.reversed().prefix { $0.kind == .other("Sg") }.count
        let payload = tokens.dropLast(depth)
        if let shape = shape(ofPayload: payload, isOptional: depth > 0) { return shape }

        if tokens.count == 1, last.kind == .reference(Self.accessorReference) { return .accessor }
        for token in tokens {
            switch token.kind {
            case .loweredFunction: return .refused(.loweredFunction)
            case .other("Xx"), .other("XX"), .other("Xb"): return .refused(.box)
            case .parameter(let parameter):
                if !isBound(parameter) { return .refused(.unboundParameter) }
            case .dependentMember:
                // Which parameter's is not always in the token; the first stands for all.
                if !isBound(GenericParameter(depth: 0, index: 0)) { return .refused(.unboundParameter) }
            case .pack:
                if !hasPacks { return .refused(.unboundPack) }
            default: break
            }
        }
        return .type
    }

    /// Kinds of references (swift/RemoteInspection/SymbolicReferences or docs/ABI/Mangling.rst).
    private static let contextReference: UInt8 = 0x01
    private static let indirectContextReference: UInt8 = 0x02
    private static let accessorReference: UInt8 = 0x09

    private func shape(ofPayload tokens: ArraySlice<NameToken>, isOptional: Bool) -> NameShape? {
        guard let first = tokens.first, let last = tokens.last else { return nil }
        switch last.kind {
        case .loweredFunction: return functionShape(last, isOptional: isOptional)
        case .other("Xx"), .other("XX"), .other("Xb"): return isOptional ? nil : .reference
        case .other("XMt"): return isOptional ? nil : .nothing
        case .other("XMT"): return .plainWord
        // AnyObject.
        case .other("Xl"):
            return tokens.count == 2 && first.kind == .other("y") ? .reference : nil
        case .other("G"):
            // A generic type whose arguments, between `y` and `G`, do not change what a value is.
            guard tokens.dropFirst().first?.kind == .other("y") else { return nil }
            switch first.kind {
            case .other("Sa"), .other("SD"), .other("Sh"): return .reference
            default: return referencedDescriptor(first)?.kind == .aClass ? .reference : nil
            }
        default:
            guard tokens.count == 1, let descriptor = referencedDescriptor(first) else { return nil }
            return descriptor.kind == .aClass ? .reference : nil
        }
    }

    private func referencedDescriptor(_ token: NameToken) -> ContextDescriptor? {
        guard case .reference(let kind) = token.kind else { return nil }
        let reference = UnsafeRawPointer(start) + token.range.lowerBound
        switch kind {
        case Self.contextReference: return reference.relative(1).map(ContextDescriptor.init)
        case Self.indirectContextReference: return reference.relative(1)?.pointer(0).map(ContextDescriptor.init)
        default: return nil
        }
    }

    /// The letters of a lowered function type (docs/ABI/Mangling.rst, impl-function-type): optional marks of substitutions and
    /// pseudo-generics, `e` for escaping, kinds of differentiability and isolation, the convention for the context, then how the
    /// function is represented.
    private func functionShape(_ token: NameToken, isOptional: Bool) -> NameShape? {
        var letters = bytes[token.range].dropFirst().map { Character(UnicodeScalar($0)) }[...]
        letters = letters.drop { "sIP".contains($0) }
        let isEscaping = letters.first == "e"
        if isEscaping { letters.removeFirst() }
        // A differentiable function is a bundle of three.
        if let letter = letters.first, "dlfr".contains(letter) { return .refused(.loweredFunction) }
        letters = letters.drop { "AT".contains($0) }
        guard let convention = letters.popFirst() else { return .refused(.damaged) }
        if convention == "t" { return .plainWord }
        if letters.first == "B" || letters.starts(with: ["z", "B"]) { return .block }
        return .function(isEscaping: isEscaping, isOptional: isOptional)
    }
}
