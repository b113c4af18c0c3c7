/// A part of a mangled name: an operator with its operands, an identifier or a reference.
struct NameLexeme: Hashable {
    enum Kind: Hashable {
        /// A reference to a descriptor, protocol or accessor.
        ///
        /// Its first byte is its kind.
        case reference(UInt8)
        case identifier
        /// A function type as machine code passes it ("lowered"), with the operator's letters.
        case loweredFunction
        /// A generic parameter.
        case parameter(GenericParameter)
        /// An associated type of a generic parameter.
        case dependentMember
        /// The expansion of a parameter pack, or an element of it.
        case pack
        /// Any other operator, by its letters.
        case other(String)
    }

    let kind: Kind
    let range: Range<Int>
}

/// A generic parameter: its depth counts from the outermost context, its index from the left.
struct GenericParameter: Hashable {
    let depth: Int
    let index: Int
}

/// Splits mangled names into lexemes, as far as is necessary to see what they contain (docs/ABI/Mangling.rst;
/// lib/Demangling/Demangler.cpp).
///
/// An unknown operator counts as an operator of one letter. A name of a later compiler may therefore give odd lexemes,
/// but the scan always ends.
struct NameLexemes {
    /// The lexemes of a name; `nil` if the name is incomplete.
    static func lexemes(of name: MangledName) -> [NameLexeme]? {
        var scanner = Self(bytes: name.bytes)
        var lexemes: [NameLexeme] = []
        while scanner.position < name.count {
            let start = scanner.position
            guard let kind = scanner.next() else { return nil }
            // 0xFF bytes are padding for alignment.
            if kind == .other("\u{FF}") { continue }
            lexemes.append(NameLexeme(kind: kind, range: start..<scanner.position))
        }
        return lexemes
    }

    // The bytes of a name in a loaded object; each access is checked against their count.
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    private init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take() -> UInt8? {
        guard let byte = peek else { return nil }
        position += 1
        return byte
    }

    private mutating func take(_ wanted: Character) -> Bool {
        guard peek == wanted.asciiValue else { return false }
        position += 1
        return true
    }

    private mutating func next() -> NameLexeme.Kind? {
        guard let byte = take() else { return nil }
        switch Character(UnicodeScalar(byte)) {
        case "\u{01}"..."\u{1F}":
            position += MangledName.referenceSize(byte)
            return position <= bytes.count ? .reference(byte) : nil
        case "0"..."9":
            position -= 1
            return identifier() ? .identifier : nil
        case "A": return substitutions()
        case "B": return builtin()
        case "I": return loweredFunction()
        case "Q": return archetype()
        case "S": return standard()
        case "X": return extended(first: "X", withOperand: "MmS")
        case "Y": return extended(first: "Y", withOperand: "j")
        case "R": return requirement()
        case "r": return signature()
        case "$": return integer()
        case "q":
            if take("z") { return .parameter(GenericParameter(depth: 0, index: 0)) }
            return parameter().map { .parameter($0) }
        case "x": return .parameter(GenericParameter(depth: 0, index: 0))
        case let letter: return .other(String(letter))
        }
    }

    /// Reads an index, `natural? '_'`: `_` is 0, and the number `n` before `_` stands for n + 1.
    private mutating func index() -> Int? {
        if take("_") { return 0 }
        guard let number = natural(), take("_") else { return nil }
        return number + 1
    }

    private mutating func natural() -> Int? {
        var number: Int?
        while let byte = peek, (0x30...0x39).contains(byte) {
            let sum = (number ?? 0) * 10 + Int(byte - 0x30)
            guard sum <= MangledName.lengthLimit else { return nil }
            number = sum
            position += 1
        }
        return number
    }

    /// Reads the parameter after a `q` (demangleGenericParamIndex).
    private mutating func parameter() -> GenericParameter? {
        if take("d") {
            guard let depth = index(), let number = index() else { return nil }
            return GenericParameter(depth: depth + 1, index: number)
        }
        if take("z") { return GenericParameter(depth: 0, index: 0) }
        return index().map { GenericParameter(depth: 0, index: $0 + 1) }
    }

    /// Reads an identifier, in which letters may stand for earlier words (demangleIdentifier).
    private mutating func identifier() -> Bool {
        var hasWords = false
        var isPunycode = false
        if take("0") {
            if take("0") { isPunycode = true } else { hasWords = true }
        }
        repeat {
            while hasWords, let byte = peek, isLetter(byte) {
                position += 1
                if byte < 0x61 { hasWords = false }
            }
            if take("0") { return true }
            guard let length = natural(), length > 0 else { return false }
            if isPunycode { _ = take("_") }
            position += length
            guard position <= bytes.count else { return false }
        } while hasWords
        return true
    }

    private func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    /// Reads several substitutions: lower-case letters, and an upper-case letter for the last one
    /// (demangleMultiSubstitutions).
    private mutating func substitutions() -> NameLexeme.Kind? {
        while let byte = take() {
            if byte == 0x5F || (0x41...0x5A).contains(byte) { return .other("A") }
            guard isLetter(byte) || (0x30...0x39).contains(byte) else { return nil }
        }
        return nil
    }

    private mutating func builtin() -> NameLexeme.Kind? {
        guard let byte = take() else { return nil }
        let letter = Character(UnicodeScalar(byte))
        if "fiv".contains(letter) { guard natural() != nil, take("_") else { return nil } }
        return .other("B\(letter)")
    }

    /// Reads one operator of many letters, up to an underscore (demangleImplFunctionType).
    private mutating func loweredFunction() -> NameLexeme.Kind? {
        while let byte = take() {
            if byte == 0x5F { return .loweredFunction }
            // A C type that is spelled out has digits. Functions with such a type have no context and are rare, so they
            // are refused.
            guard isLetter(byte) else { return nil }
        }
        return nil
    }

    private mutating func archetype() -> NameLexeme.Kind? {
        guard let byte = take() else { return nil }
        switch Character(UnicodeScalar(byte)) {
        case "z", "Z": return .dependentMember
        case "y", "Y": return parameter() == nil ? nil : .dependentMember
        case "x", "X": return index() == nil && byte == 0x58 ? nil : .dependentMember
        case "p", "e", "S", "T", "t": return .pack
        case "o", "R": return index() == nil ? nil : .other("Q")
        case let letter: return .other("Q\(letter)")
        }
    }

    /// Reads a type of the standard library, perhaps repeated (demangleStandardSubstitution).
    private mutating func standard() -> NameLexeme.Kind? {
        if natural() != nil { return take() == nil ? nil : .other("S") }
        guard let byte = take() else { return nil }
        let letter = Character(UnicodeScalar(byte))
        // `c` begins the names in a second table, of the concurrency types.
        if letter == "c" { return take() == nil ? nil : .other("Sc") }
        return .other("S\(letter)")
    }

    /// Reads a requirement of a generic parameter: its kind, its parameter, and its layout
    /// (demangleGenericRequirement).
    private mutating func requirement() -> NameLexeme.Kind? {
        guard let byte = peek else { return nil }
        let letter = Character(UnicodeScalar(byte))
        let isKind = "VvcCbBtTsSmMlLpPQhiI".contains(letter)
        if isKind { position += 1 }
        if letter == "i" || letter == "I" { guard index() != nil else { return nil } }
        if !(isKind && "BSLQI".contains(letter)) { guard parameter() != nil else { return nil } }
        guard isKind, "mMlL".contains(letter) else { return .other("R") }
        guard let layout = take() else { return nil }
        if "EeMmS".contains(Character(UnicodeScalar(layout))) {
            guard index() != nil else { return nil }
            if layout == UInt8(ascii: "E") || layout == UInt8(ascii: "M") { guard index() != nil else { return nil } }
        }
        return .other("R")
    }

    /// Reads the numbers of parameters at each depth, up to an `l` (demangleGenericSignature).
    private mutating func signature() -> NameLexeme.Kind? {
        while !take("l") {
            guard take("z") || index() != nil else { return nil }
        }
        return .other("r")
    }

    private mutating func extended(first: String, withOperand: String) -> NameLexeme.Kind? {
        guard let byte = take() else { return nil }
        let letter = Character(UnicodeScalar(byte))
        if withOperand.contains(letter), let operand = take() {
            return .other("\(first)\(letter)\(Character(UnicodeScalar(operand)))")
        }
        return .other("\(first)\(letter)")
    }

    /// Reads the argument of a value parameter (demangleIntegerType).
    private mutating func integer() -> NameLexeme.Kind? {
        _ = take("n")
        return index() == nil ? nil : .other("$")
    }
}
