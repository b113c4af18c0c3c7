/// Takes a mangled name apart into its nominal types and the text between them, without substitutions.
///
/// A reference can then replace a nominal type that the runtime does not find by name. Substitutions are written out,
/// because they count preceding parts of the name and would be wrong after a replacement (docs/ABI/Mangling.rst,
/// "Substitutions"; lib/Demangling/Demangler.cpp). Only the operators in types of stored properties are supported;
/// other names give `nil`. This type reads the name; ``NameStack`` applies its operators.
struct NameExpansion {
    enum Piece: Hashable {
        case text(String)
        case nominal(NominalTypes.Path, text: String)
    }

    /// The pieces of a name without symbolic references.
    static func pieces(of name: String) -> [Piece]? {
        var expansion = Self(name)
        while expansion.position < expansion.bytes.count {
            guard expansion.step() else { return nil }
        }
        let nodes = expansion.stack.nodes
        guard nodes.count == 1, nodes[0].isType else { return nil }
        return nodes[0].pieces
    }

    /// The pieces of the type of a global or static variable, from the variable's own name.
    ///
    /// The name does not contain `unowned` or `weak`, so the type alone does not show whether the variable owns its
    /// object.
    static func pieces(ofTypeOfVariable name: String) -> [Piece]? {
        guard name.hasPrefix("$s") else { return nil }
        let rest = name.dropFirst(2)
        guard let end = ["vpZ", "vp"].first(where: rest.hasSuffix) else { return nil }
        var expansion = Self(String(rest.dropLast(end.count)))
        while expansion.position < expansion.bytes.count {
            guard expansion.step() else { return nil }
        }
        // The three nodes are the context, the variable's own name, and its type.
        let nodes = expansion.stack.nodes
        guard nodes.count == 3, nodes[2].isType, case .identifier = nodes[1].form else { return nil }
        return nodes[2].pieces
    }

    /// The pieces of the class of an object that the compiler laid out as the value of a static variable, from the
    /// object's name.
    ///
    /// The name contains the variable without its type. A variable whose name says that it holds the only object of
    /// its class is taken for one of the class in which it is declared.
    static func pieces(ofClassOfObject name: String) -> [Piece]? {
        guard name.hasPrefix("$s"), name.hasSuffix(objectMark) else { return nil }
        var expansion = Self(String(name.dropFirst(2).dropLast(objectMark.count)))
        while expansion.position < expansion.bytes.count {
            guard expansion.step() else { return nil }
        }
        let nodes = expansion.stack.nodes
        guard nodes.count == 2, case .nominal(let path) = nodes[0].form, path.kind == .aClass,
            case .identifier(let variable) = nodes[1].form, namesOfOnlyObjects.contains(variable)
        else { return nil }
        return nodes[0].pieces
    }

    private static let objectMark = "_WZTv_"
    private static let namesOfOnlyObjects: Set = [
        "shared", "sharedInstance", "default", "instance", "standard", "main", "current", "singleton", "global", "live",
        "_shared", "_default", "_instance",
    ]

    /// The largest number of pieces and the largest number in a name.
    ///
    /// Names in source code stay below both.
    static let sizeLimit = 4_096

    private let bytes: [UInt8]
    private var position = 0
    private var stack = NameStack()
    private var words = IdentifierWords()

    private init(_ name: String) {
        bytes = Array(name.utf8)
    }

    // MARK: Reading

    private mutating func take() -> Character? {
        guard position < bytes.count else { return nil }
        position += 1
        return Character(UnicodeScalar(bytes[position - 1]))
    }

    private mutating func natural() -> Int? {
        var number: Int?
        while position < bytes.count, (0x30...0x39).contains(bytes[position]) {
            number = (number ?? 0) * 10 + Int(bytes[position] - 0x30)
            guard number ?? 0 <= Self.sizeLimit else { return nil }
            position += 1
        }
        return number
    }

    private func text(from start: Int) -> String {
        String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Reads one operator or operand and applies it to the stack; false if it is not known.
    private mutating func step() -> Bool {
        let start = position
        guard let letter = take() else { return false }
        switch letter {
        case "0"..."9":
            position = start
            return identifier()
        case "s": return stack.push(.module("Swift"), "s")
        case "S": return standard()
        case "A": return substitution()
        case "B": return builtin(from: start)
        case "x": return stack.push(.type, "x")
        case "q": return parameter(from: start)
        case "$": return integer(from: start)
        case "y": return stack.push(.emptyList, "y")
        case "_": return stack.push(.firstElement, "_")
        case "K": return stack.push(.attribute, "K")
        case "Y":
            guard let second = take() else { return false }
            // The actor of a function precedes this attribute.
            if second == "c" { return stack.combine(1, "Yc", .attribute, where: \.isType) }
            return "ab".contains(second) && stack.push(.attribute, "Y\(second)")
        case "C": return stack.nominal("C", .aClass)
        case "V": return stack.nominal("V", .aStruct)
        case "O": return stack.nominal("O", .anEnum)
        case "E": return stack.combine(2, "E", .anExtension)
        case "L": return take() == "L" && stack.privateName()
        case "G": return stack.bound()
        case "t": return stack.list("t")
        case "Q": return take() == "P" && stack.list("QP")
        case "p": return stack.protocols("p")
        case "X":
            switch take() {
            case "l": return stack.protocols("Xl")
            case "E": return stack.function("XE")
            default: return false
            }
        case "c": return stack.function("c")
        case "m": return stack.combine(1, "m", .type) { $0.isType }
        default: return false
        }
    }

    // MARK: Operands

    private mutating func identifier() -> Bool {
        guard let (name, end) = words.identifier(in: bytes, at: position) else { return false }
        position = end
        stack.pushIdentifier(name)
        return true
    }

    private mutating func substitution() -> Bool {
        while true {
            let count = natural()
            guard let letter = take()?.asciiValue else { return false }
            if letter == UInt8(ascii: "_") {
                // `A_` is the 27th substitution, `A0_` the 28th.
                return stack.repeatSubstitution((count ?? -1) + 27)
            }
            let isLast = (0x41...0x5A).contains(letter)
            guard isLast || (0x61...0x7A).contains(letter), count ?? 1 <= 64 else { return false }
            let index = Int(letter - (isLast ? 0x41 : 0x61))
            guard stack.repeatSubstitution(index, count: count ?? 1) else { return false }
            if isLast { return true }
        }
    }

    private mutating func standard() -> Bool {
        let count = natural()
        guard let letter = take(), count ?? 1 <= 64 else { return false }
        switch letter {
        case "g": return stack.optional()
        case "o", "C": return stack.push(.module("__C"), "S\(letter)")
        case "c":
            guard let second = take() else { return false }
            return stack.push(.type, "Sc\(second)")
        default:
            for _ in 0..<(count ?? 1) { _ = stack.push(.type, "S\(letter)") }
            return true
        }
    }

    private mutating func builtin(from start: Int) -> Bool {
        guard let letter = take() else { return false }
        if "fiv".contains(letter) { guard natural() != nil, take() == "_" else { return false } }
        return stack.push(.type, text(from: start))
    }

    private mutating func parameter(from start: Int) -> Bool {
        var indices = 1
        if position < bytes.count, bytes[position] == UInt8(ascii: "d") {
            position += 1
            indices = 2
        }
        for _ in 0..<indices {
            _ = natural()
            guard take() == "_" else { return false }
        }
        return stack.push(.type, text(from: start))
    }

    private mutating func integer(from start: Int) -> Bool {
        if position < bytes.count, bytes[position] == UInt8(ascii: "n") { position += 1 }
        _ = natural()
        guard take() == "_" else { return false }
        return stack.push(.type, text(from: start))
    }
}
