/// The facts about a type that its mangled name shows without help of the runtime.
enum NameShape: Equatable {
    /// One word that is a strong reference: to an object of a class, a box, or the storage of a collection.
    case reference
    /// A function with a context; `isEscaping` is false if the context is on a stack.
    case function(isEscaping: Bool, isOptional: Bool)
    /// One word without references: a function without a context, a metatype.
    case plainWord
    /// A value without storage: a metatype that is known at compile time.
    case nothing
    /// A C block (closure): one word, a pointer to raw memory.
    case block
    /// A type that only an accessor function of the program returns.
    case accessor
    /// A type that only the runtime can describe.
    case type
    /// The runtime cannot build the type, and may end the program when it tries.
    case refused(Refusal)

    /// The reason for which the runtime is not asked for a type.
    enum Refusal: Hashable, Sendable {
        /// The name is incomplete, or longer than names in source code are.
        case damaged
        /// The type contains a lowered function type.
        ///
        /// The runtime has no metadata for lowered function types, and ends the program when it meets associated types
        /// of their parameters.
        case loweredFunction
        /// The type contains a box, which exists only in machine code.
        case box
        /// The type depends on a generic parameter without an argument.
        case unboundParameter
        /// The type depends on a pack of generic parameters, and the generic context is not that of a type with packs.
        case unboundPack
    }
}

/// The kind of a property's reference, from the suffix of its type's name.
enum Ownership {
    case weak
    case unowned
    case unmanaged
}

extension MangledName {
    /// The length in bytes up to which a name is resolved.
    ///
    /// For a longer name, the runtime needs more time and deeper recursion.
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

    /// The generic parameter, if the type is one.
    var parameter: GenericParameter? {
        guard let lexemes = NameLexemes.lexemes(of: self), lexemes.count == 1,
            case .parameter(let parameter) = lexemes[0].kind
        else { return nil }
        return parameter
    }

    /// The parameter pack, if the type is the tuple of all elements of the pack: `xxQp_t`, for `(repeat each Value)`.
    var tupleOfPack: GenericParameter? {
        guard let lexemes = NameLexemes.lexemes(of: self), lexemes.count == 5,
            case .parameter(let pack) = lexemes[0].kind,
            lexemes[1].kind == .parameter(pack), lexemes[2].kind == .pack, lexemes[3].kind == .other("_"),
            lexemes[4].kind == .other("t") || lexemes[4].kind == .other("QP")
        else { return nil }
        return start[lexemes[2].range.upperBound - 1] == UInt8(ascii: "p") ? pack : nil
    }

    /// The shape of the type.
    ///
    /// - Parameter isBound: Whether there is an argument for a generic parameter.
    func shape(isBound: (GenericParameter) -> Bool, hasPacks: Bool) -> NameShape {
        guard count <= Self.askedLength, let lexemes = NameLexemes.lexemes(of: self), let last = lexemes.last else {
            return .refused(.damaged)
        }
        let depth = lexemes.reversed().prefix { $0.kind == .other("Sg") }.count
        let payload = lexemes.dropLast(depth)
        if let shape = shape(ofPayload: payload, isOptional: depth > 0) { return shape }

        if lexemes.count == 1, last.kind == .reference(Self.accessorReference) { return .accessor }
        for lexeme in lexemes {
            switch lexeme.kind {
            case .loweredFunction: return .refused(.loweredFunction)
            case .other("Xx"), .other("XX"), .other("Xb"): return .refused(.box)
            case .parameter(let parameter):
                if !isBound(parameter) { return .refused(.unboundParameter) }
            case .dependentMember:
                // The lexeme does not always contain the parameter, so the first parameter stands for all.
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

    private func shape(ofPayload lexemes: ArraySlice<NameLexeme>, isOptional: Bool) -> NameShape? {
        guard let first = lexemes.first, let last = lexemes.last else { return nil }
        switch last.kind {
        case .loweredFunction: return functionShape(last, isOptional: isOptional)
        case .other("Xx"), .other("XX"), .other("Xb"): return isOptional ? nil : .reference
        case .other("XMt"): return isOptional ? nil : .nothing
        case .other("XMT"): return .plainWord
        // `yXl` is AnyObject.
        case .other("Xl"):
            return lexemes.count == 2 && first.kind == .other("y") ? .reference : nil
        case .other("G"):
            // A generic type. Its arguments, between `y` and `G`, do not change whether a value is a reference.
            guard lexemes.dropFirst().first?.kind == .other("y") else { return nil }
            switch first.kind {
            case .other("Sa"), .other("SD"), .other("Sh"): return .reference
            default: return referencedDescriptor(first)?.kind == .aClass ? .reference : nil
            }
        default:
            guard lexemes.count == 1, let descriptor = referencedDescriptor(first) else { return nil }
            return descriptor.kind == .aClass ? .reference : nil
        }
    }

    /// The descriptor of the type, or of the generic type of which it is a version.
    var descriptor: ContextDescriptor? {
        guard let lexemes = NameLexemes.lexemes(of: self), let first = lexemes.first,
            lexemes.count == 1 || lexemes.last?.kind == .other("G")
        else { return nil }
        return referencedDescriptor(first)
    }

    private func referencedDescriptor(_ lexeme: NameLexeme) -> ContextDescriptor? {
        guard case .reference(let kind) = lexeme.kind else { return nil }
        let reference = UnsafeRawPointer(start) + lexeme.range.lowerBound
        switch kind {
        case Self.contextReference: return reference.relative(1).map(ContextDescriptor.init)
        case Self.indirectContextReference: return reference.relative(1)?.pointer(0).map(ContextDescriptor.init)
        default: return nil
        }
    }

    /// Whether the type is a function type of source code, with a context.
    ///
    /// A differentiable function, with an operator that begins with `Yj`, consists of three functions.
    var isFunction: Bool {
        guard let lexemes = NameLexemes.lexemes(of: self), lexemes.last?.kind == .other("c") else { return false }
        return !lexemes.contains { lexeme in
            if case .other(let letters) = lexeme.kind { letters.hasPrefix("Yj") } else { false }
        }
    }

    /// The shape of a lowered function type (docs/ABI/Mangling.rst, impl-function-type).
    ///
    /// Its letters are: optional marks of substitutions and pseudo-generics, `e` for escaping, kinds of
    /// differentiability and isolation, the convention of the context, then the representation of the function.
    private func functionShape(_ lexeme: NameLexeme, isOptional: Bool) -> NameShape? {
        var letters = letters(of: lexeme)
        letters = letters.drop { "sIP".contains($0) }
        let isEscaping = letters.first == "e"
        if isEscaping { letters.removeFirst() }
        // A differentiable function consists of three functions.
        if let letter = letters.first, "dlfr".contains(letter) { return .refused(.loweredFunction) }
        letters = letters.drop { "AT".contains($0) }
        guard let convention = letters.popFirst() else { return .refused(.damaged) }
        if convention == "t" { return .plainWord }
        if letters.first == "B" || letters.starts(with: ["z", "B"]) { return .block }
        return .function(isEscaping: isEscaping, isOptional: isOptional)
    }

    private func letters(of lexeme: NameLexeme) -> ArraySlice<Character> {
        bytes[lexeme.range].dropFirst().map { Character(UnicodeScalar($0)) }[...]
    }

    /// The number of types that precede a lowered function type and belong to it: its parameters, results and error.
    ///
    /// Each has a lower-case letter for its convention, behind the letters that ``functionShape(_:isOptional:)`` reads.
    func operandCount(ofLoweredFunction lexeme: NameLexeme) -> Int {
        // The letter behind the optional `e` is the convention of the context.
        let conventions = letters(of: lexeme).drop { "sIPeAT".contains($0) }.dropFirst()
        return conventions.count { "iclbnxgeyvpmrodauk".contains($0) }
    }

    /// Whether a lowered function type has generic parameters of its own, with arguments (`s`, substitutions).
    func isGeneric(loweredFunction lexeme: NameLexeme) -> Bool {
        letters(of: lexeme).first == "s"
    }
}
