/// A part of a mangled name: an operator with what belongs to it, an identifier or a reference.
struct NameToken: Hashable {
    enum Kind: Hashable {
        /// Of a descriptor, protocol or accessor; the kind is its first byte.
        case reference(UInt8)
        case identifier
        /// A function type as it is passed in machine code ("lowered"), with the operator's letters.
        case loweredFunction
        /// A generic parameter.
        case parameter(GenericParameter)
        /// One that stands for a member of a generic parameter's type.
        case dependentMember
        /// The expansion of a parameter pack, or an element of it.
        case pack
        /// Any other, by its letters.
        case other(String)
    }

    let kind: Kind
    let range: Range<Int>
}

/// Which generic parameter, from outside and from the left.
struct GenericParameter: Hashable {
    let depth: Int
    let index: Int
}

/// Takes mangled names apart (docs/ABI/Mangling.rst; lib/Demangling/Demangler.cpp), as far as is needed to see what is in them.
///
/// What it does not know it takes for operators of one letter. So a name of a later compiler may look odd, but it comes to an end.
struct NameTokens {
    /// `nil` where the name breaks off.
    static func tokens(of name: MangledName) -> [NameToken]? {
        var scanner = Self(bytes: name.bytes)
        var tokens: [NameToken] = []
        while scanner.position < name.count {
            let start = scanner.position
            guard let kind = scanner.next() else { return nil }
            // Bytes of alignment.
            if kind == .other("\u{FF}") { continue }
            tokens.append(NameToken(kind: kind, range: start..<scanner.position))
        }
        return tokens
    }

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

    private mutating func next() -> NameToken.Kind? {
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

    /// `natural? '_'`: one less than it says, with nothing for the first.
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

    /// What follows a `q` (demangleGenericParamIndex).
    private mutating func parameter() -> GenericParameter? {
        if take("d") {
            guard let depth = index(), let number = index() else { return nil }
            return GenericParameter(depth: depth + 1, index: number)
        }
        if take("z") { return GenericParameter(depth: 0, index: 0) }
        return index().map { GenericParameter(depth: 0, index: $0 + 1) }
    }

    /// Letters may stand for words that came before (demangleIdentifier).
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

    /// Lower-case letters for several, an upper-case one for the last (demangleMultiSubstitutions).
    private mutating func substitutions() -> NameToken.Kind? {
        while let byte = take() {
            if byte == 0x5F || (0x41...0x5A).contains(byte) { return .other("A") }
            guard isLetter(byte) || (0x30...0x39).contains(byte) else { return nil }
        }
        return nil
    }

    private mutating func builtin() -> NameToken.Kind? {
        guard let byte = take() else { return nil }
        let letter = Character(UnicodeScalar(byte))
        if "fiv".contains(letter) { guard natural() != nil, take("_") else { return nil } }
        return .other("B\(letter)")
    }

    /// One operator of many letters, up to an underscore (demangleImplFunctionType).
    private mutating func loweredFunction() -> NameToken.Kind? {
        while let byte = take() {
            if byte == 0x5F { return .loweredFunction }
            // A C type that is spelled out has digits; such functions have no context, and are rare enough to be refused.
            guard isLetter(byte) else { return nil }
        }
        return nil
    }

    private mutating func archetype() -> NameToken.Kind? {
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

    /// A type of the standard library, perhaps several times (demangleStandardSubstitution).
    private mutating func standard() -> NameToken.Kind? {
        if natural() != nil { return take() == nil ? nil : .other("S") }
        guard let byte = take() else { return nil }
        let letter = Character(UnicodeScalar(byte))
        // A second table, of the types of concurrency.
        if letter == "c" { return take() == nil ? nil : .other("Sc") }
        return .other("S\(letter)")
    }

    /// A requirement of a generic parameter: of what kind, for which parameter, and what a layout is (demangleGenericRequirement).
    private mutating func requirement() -> NameToken.Kind? {
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

    /// How many parameters there are at each depth, up to an `l` (demangleGenericSignature).
    private mutating func signature() -> NameToken.Kind? {
        while !take("l") {
            guard take("z") || index() != nil else { return nil }
        }
        return .other("r")
    }

    private mutating func extended(first: String, withOperand: String) -> NameToken.Kind? {
        guard let byte = take() else { return nil }
        let letter = Character(UnicodeScalar(byte))
        if withOperand.contains(letter), let operand = take() {
            return .other("\(first)\(letter)\(Character(UnicodeScalar(operand)))")
        }
        return .other("\(first)\(letter)")
    }

    /// The argument of a value parameter (demangleIntegerType).
    private mutating func integer() -> NameToken.Kind? {
        _ = take("n")
        return index() == nil ? nil : .other("$")
    }
}
