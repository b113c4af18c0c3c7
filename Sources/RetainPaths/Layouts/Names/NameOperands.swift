extension MangledName {
    /// The names of a tuple's elements, if the type is a tuple of which each operator is known.
    ///
    /// The runtime has no metadata for a tuple with a lowered function type, as a box or a capture may contain, but
    /// each element can be described on its own.
    var tupleElements: [(label: String, type: MangledName)]? {
        operands(before: "t")?.tupleElements
    }

    /// The arguments of a generic type, if the type is one in no other generic type, and each operator is known.
    var genericArguments: [MangledName]? {
        operands(before: "G")?.genericArguments
    }

    /// The name of the type that an optional wraps; `nil` for any other type.
    var wrapped: MangledName? {
        guard let last = NameLexemes.lexemes(of: self)?.last, last.kind == .other("Sg") else { return nil }
        return dropping(count - last.range.lowerBound)
    }

    /// The operands of the last operator, if each operator is known.
    ///
    /// A name with substitutions gives `nil`: they count parts of the whole name, and mean something else in a part.
    private func operands(before last: String) -> NameOperands? {
        guard let lexemes = NameLexemes.lexemes(of: self), lexemes.last?.kind == .other(last) else { return nil }
        var operands = NameOperands(name: self)
        for lexeme in lexemes.dropLast() {
            guard operands.apply(lexeme) else { return nil }
        }
        return operands
    }
}

/// The operands on the stack of a mangled name's demangling, as ranges of its bytes.
private struct NameOperands {
    private enum Form: Hashable {
        case type, identifier, emptyList, firstElement
        /// A part of the generic signature of a lowered function type.
        case signature
    }

    private struct Operand {
        var form: Form
        var range: Range<Int>
    }

    private let name: MangledName
    private var operands: [Operand] = []

    init(name: MangledName) {
        self.name = name
    }

    /// The elements of a tuple whose operands these are: types, perhaps followed by a label, with a mark behind the
    /// first.
    var tupleElements: [(label: String, type: MangledName)]? {
        var rest = operands
        guard let mark = rest.lastIndex(where: { $0.form == .firstElement }),
            mark == rest.firstIndex(where: { $0.form == .firstElement })
        else { return nil }
        rest.remove(at: mark)
        var elements: [(label: String, type: MangledName)] = []
        for operand in rest {
            switch operand.form {
            case .type: elements.append((String(elements.count), part(operand.range)))
            case .identifier:
                guard !elements.isEmpty else { return nil }
                elements[elements.count - 1].label = label(operand.range)
            case .emptyList, .firstElement, .signature: return nil
            }
        }
        return elements.isEmpty ? nil : elements
    }

    /// The arguments of a generic type whose operands these are: the type, an empty list and the arguments.
    var genericArguments: [MangledName]? {
        guard operands.count > 2, operands[0].form == .type, operands[1].form == .emptyList,
            operands[2...].allSatisfy({ $0.form == .type })
        else { return nil }
        return operands[2...].map { part($0.range) }
    }

    /// Applies an operator or operand; `false` if it is not known.
    mutating func apply(_ lexeme: NameLexeme) -> Bool {
        switch lexeme.kind {
        case .reference, .parameter: return push(.type, lexeme)
        case .identifier: return push(.identifier, lexeme)
        case .loweredFunction: return loweredFunction(lexeme)
        case .other("R"), .other("r"), .other("l"): return push(.signature, lexeme)
        case .dependentMember, .pack: return false
        case .other("y"): return push(.emptyList, lexeme)
        case .other("_"): return push(.firstElement, lexeme)
        case .other("s"), .other("So"), .other("SC"): return push(.identifier, lexeme)
        case .other("C"), .other("V"), .other("O"): return nominal(lexeme)
        case .other("G"): return bound(lexeme)
        case .other("t"): return tuple(lexeme)
        case .other("p"), .other("Xl"): return protocols(lexeme)
        case .other("Sg"), .other("m"), .other("XX"), .other("Xx"), .other("Xw"), .other("Xo"), .other("Xu"):
            return operands.last?.form == .type && combine(1, lexeme)
        case .other("S"), .other("A"): return false
        case .other(let letters):
            return letters.count == 2 && "SB".contains(letters.prefix(1)) && push(.type, lexeme)
        }
    }

    private mutating func push(_ form: Form, _ lexeme: NameLexeme) -> Bool {
        operands.append(Operand(form: form, range: lexeme.range))
        return true
    }

    /// Replaces the last operands by a type that ends with an operator.
    private mutating func combine(_ count: Int, _ lexeme: NameLexeme) -> Bool {
        guard operands.count >= count else { return false }
        let start = operands.suffix(count).first?.range.lowerBound ?? lexeme.range.lowerBound
        operands.removeLast(count)
        operands.append(Operand(form: .type, range: start..<lexeme.range.upperBound))
        return true
    }

    /// A lowered function type: its parameters and results; if it is generic, then its signature, and a list of the
    /// arguments.
    private mutating func loweredFunction(_ lexeme: NameLexeme) -> Bool {
        var count = 0
        if name.isGeneric(loweredFunction: lexeme) {
            count = operands.reversed().prefix { $0.form == .type }.count + 1
            guard count <= operands.count, operands[operands.count - count].form == .emptyList else { return false }
            count += operands.dropLast(count).reversed().prefix { $0.form == .signature }.count
        }
        let types = name.operandCount(ofLoweredFunction: lexeme)
        guard operands.dropLast(count).suffix(types).allSatisfy({ $0.form == .type }) else { return false }
        return combine(types + count, lexeme)
    }

    /// A type in a module or in another type.
    private mutating func nominal(_ lexeme: NameLexeme) -> Bool {
        operands.last?.form == .identifier && combine(2, lexeme)
    }

    /// A generic type with its arguments behind an empty list.
    private mutating func bound(_ lexeme: NameLexeme) -> Bool {
        guard let list = operands.lastIndex(where: { $0.form == .emptyList }), list > 0,
            operands[(list + 1)...].allSatisfy({ $0.form == .type })
        else { return false }
        return combine(operands.count - list + 1, lexeme)
    }

    /// A tuple in another type.
    private mutating func tuple(_ lexeme: NameLexeme) -> Bool {
        if operands.last?.form == .emptyList { return combine(1, lexeme) }
        guard let mark = operands.lastIndex(where: { $0.form == .firstElement }), mark > 0 else { return false }
        let start = operands[mark - 1].form == .identifier ? mark - 2 : mark - 1
        guard start >= 0, operands[start].form == .type else { return false }
        return combine(operands.count - start, lexeme)
    }

    /// The existential type of a list of protocols, with a mark behind the first.
    ///
    /// A protocol is one operand, or a name in a module.
    private mutating func protocols(_ lexeme: NameLexeme) -> Bool {
        if operands.last?.form == .emptyList { return combine(1, lexeme) }
        guard let mark = operands.lastIndex(where: { $0.form == .firstElement }), mark > 0 else { return false }
        let start = operands[mark - 1].form == .identifier ? mark - 2 : mark - 1
        return start >= 0 && combine(operands.count - start, lexeme)
    }

    private func part(_ range: Range<Int>) -> MangledName {
        MangledName(start: name.start + range.lowerBound, count: range.count)
    }

    private func label(_ range: Range<Int>) -> String {
        String(decoding: name.bytes[range].drop { (0x30...0x39).contains($0) }, as: UTF8.self)
    }
}
