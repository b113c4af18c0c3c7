/// Takes a mangled name apart into its nominal types and the text between them, without substitutions.
///
/// A reference can then replace a nominal type that the runtime does not find by name. Substitutions are written out,
/// because they count preceding parts of the name and would be wrong after a replacement (docs/ABI/Mangling.rst,
/// "Substitutions"; lib/Demangling/Demangler.cpp). Only the operators in types of stored properties are supported;
/// other names give `nil`.
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
        guard expansion.stack.count == 1, expansion.stack[0].isType else { return nil }
        return expansion.stack[0].pieces
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
        guard expansion.stack.count == 3, expansion.stack[2].isType, case .identifier = expansion.stack[1].form else {
            return nil
        }
        return expansion.stack[2].pieces
    }

    /// An operand on the stack.
    private struct Node {
        enum Form: Hashable {
            case identifier(String)
            case module(String)
            case nominal(NominalTypes.Path)
            case type
            case emptyList
            case firstElement
            /// An attribute of a function type, which precedes the function's operator: `K`, `Ya`.
            case attribute
            /// An extension of another module's type.
            case anExtension
        }

        var form: Form
        var pieces: [Piece]

        var text: String {
            pieces.reduce(into: "") { text, piece in
                switch piece {
                case .text(let part), .nominal(_, let part): text += part
                }
            }
        }

        var isType: Bool {
            switch form {
            case .nominal, .type: true
            default: false
            }
        }
    }

    /// The largest number of pieces and the largest number in a name.
    ///
    /// Names in source code stay below both.
    private static let sizeLimit = 4_096

    private let bytes: [UInt8]
    private var position = 0
    private var stack: [Node] = []
    private var substitutions: [Node] = []
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
        case "s": return push(.module("Swift"), "s")
        case "S": return standard()
        case "A": return substitution()
        case "B": return builtin(from: start)
        case "x": return push(.type, "x")
        case "q": return parameter(from: start)
        case "$": return integer(from: start)
        case "y": return push(.emptyList, "y")
        case "_": return push(.firstElement, "_")
        case "K": return push(.attribute, "K")
        case "Y":
            guard let second = take() else { return false }
            // The actor of a function precedes this attribute.
            if second == "c" { return combine(1, "Yc", .attribute, where: \.isType) }
            return "ab".contains(second) && push(.attribute, "Y\(second)")
        case "C": return nominal("C", .aClass)
        case "V": return nominal("V", .aStruct)
        case "O": return nominal("O", .anEnum)
        case "E": return combine(2, "E", .anExtension)
        case "L": return take() == "L" && privateName()
        case "G": return bound()
        case "t": return tuple()
        case "p": return protocols("p")
        case "X":
            switch take() {
            case "l": return protocols("Xl")
            case "E": return function("XE")
            default: return false
            }
        case "c": return function("c")
        case "m": return combine(1, "m", .type) { $0.isType }
        default: return false
        }
    }

    // MARK: Working

    private mutating func push(_ form: Node.Form, _ text: String) -> Bool {
        stack.append(Node(form: form, pieces: [.text(text)]))
        return true
    }

    /// Replaces the last nodes by one node, which ends with the operator.
    private mutating func combine(
        _ count: Int, _ operation: String, _ form: Node.Form, where isRight: (Node) -> Bool = { _ in true }
    ) -> Bool {
        guard stack.count >= count, stack.suffix(count).allSatisfy(isRight) else { return false }
        let pieces = stack.suffix(count).flatMap(\.pieces) + [.text(operation)]
        stack.removeLast(count)
        stack.append(Node(form: form, pieces: pieces))
        return pieces.count <= Self.sizeLimit
    }

    private mutating func identifier() -> Bool {
        guard let (name, end) = words.identifier(in: bytes, at: position) else { return false }
        position = end
        let node = Node(form: .identifier(name), pieces: [.text("\(name.utf8.count)\(name)")])
        stack.append(node)
        substitutions.append(node)
        return true
    }

    private mutating func substitution() -> Bool {
        while true {
            let count = natural()
            guard let letter = take()?.asciiValue else { return false }
            if letter == UInt8(ascii: "_") {
                // `A_` is the 27th substitution, `A0_` the 28th.
                let index = (count ?? -1) + 27
                guard index < substitutions.count else { return false }
                stack.append(substitutions[index])
                return true
            }
            let isLast = (0x41...0x5A).contains(letter)
            guard isLast || (0x61...0x7A).contains(letter), count ?? 1 <= 64 else { return false }
            let index = Int(letter - (isLast ? 0x41 : 0x61))
            guard index < substitutions.count else { return false }
            stack += Array(repeating: substitutions[index], count: count ?? 1)
            if isLast { return true }
        }
    }

    private mutating func standard() -> Bool {
        let count = natural()
        guard let letter = take(), count ?? 1 <= 64 else { return false }
        switch letter {
        case "g":
            guard combine(1, "Sg", .type, where: \.isType), let optional = stack.last else { return false }
            substitutions.append(optional)
            return true
        case "o", "C": return push(.module("__C"), "S\(letter)")
        case "c":
            guard let second = take() else { return false }
            return push(.type, "Sc\(second)")
        default:
            for _ in 0..<(count ?? 1) { _ = push(.type, "S\(letter)") }
            return true
        }
    }

    private mutating func builtin(from start: Int) -> Bool {
        guard let letter = take() else { return false }
        if "fiv".contains(letter) { guard natural() != nil, take() == "_" else { return false } }
        return push(.type, text(from: start))
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
        return push(.type, text(from: start))
    }

    private mutating func integer(from start: Int) -> Bool {
        if position < bytes.count, bytes[position] == UInt8(ascii: "n") { position += 1 }
        _ = natural()
        guard take() == "_" else { return false }
        return push(.type, text(from: start))
    }

    private mutating func privateName() -> Bool {
        guard stack.count >= 2, case .identifier(let name) = stack[stack.count - 2].form,
            case .identifier = stack[stack.count - 1].form
        else { return false }
        return combine(2, "LL", .identifier(name))
    }

    /// A type in a module or in another type.
    private mutating func nominal(_ operation: String, _ kind: ContextDescriptor.Kind) -> Bool {
        guard stack.count >= 2, case .identifier(let name) = stack[stack.count - 1].form else { return false }
        let context = stack[stack.count - 2]
        let names: [String]
        switch context.form {
        case .identifier(let module), .module(let module): names = [module, name]
        case .nominal(let outer): names = outer.names + [name]
        case .anExtension:
            guard combine(2, operation, .type), let type = stack.last else { return false }
            substitutions.append(type)
            return true
        default: return false
        }
        let path = NominalTypes.Path(kind: kind, names: names)
        let text = context.text + stack[stack.count - 1].text + operation
        stack.removeLast(2)
        let node = Node(form: .nominal(path), pieces: [.nominal(path, text: text)])
        stack.append(node)
        substitutions.append(node)
        return true
    }

    /// A generic type with its arguments.
    ///
    /// The arguments are lists of types: the first list follows `y`, each other list `_`.
    private mutating func bound() -> Bool {
        guard let start = stack.lastIndex(where: { $0.form == .emptyList }), start > 0, stack[start - 1].isType,
            stack[(start + 1)...].allSatisfy({ $0.isType || $0.form == .firstElement }),
            combine(stack.count - start + 1, "G", .type), let type = stack.last
        else { return false }
        substitutions.append(type)
        return true
    }

    /// A tuple: its elements, with or without labels, with `_` after the first element; or an empty list.
    private mutating func tuple() -> Bool {
        if stack.last?.form == .emptyList { return combine(1, "t", .type) }
        guard let marker = stack.lastIndex(where: { $0.form == .firstElement }), marker > 0 else { return false }
        var start = marker - 1
        if case .identifier = stack[start].form { start -= 1 }
        guard start >= 0, stack[start].isType else { return false }
        return combine(stack.count - start, "t", .type)
    }

    /// A list of protocols: each is a name in a module, or a protocol of the standard library.
    private mutating func protocols(_ operation: String) -> Bool {
        if stack.last?.form == .emptyList { return combine(1, operation, .type) }
        guard let marker = stack.lastIndex(where: { $0.form == .firstElement }) else { return false }
        var start = marker - 1
        guard start >= 0 else { return false }
        if case .identifier = stack[start].form { start -= 1 }
        guard start >= 0 else { return false }
        leaveOutMarkerProtocols(from: start)
        return combine(stack.count - start, operation, .type)
    }

    /// Removes marker protocols from the list of protocols that begins at an index of the stack.
    ///
    /// A marker protocol has no requirements and no descriptor, so the metadata of an existential type does not contain
    /// it, and the runtime does not find it by name. The compiler removes marker protocols from the names that it makes
    /// for the runtime, but not from symbols ("AllowMarkerProtocols" in lib/IRGen/IRGenMangler.cpp and
    /// lib/AST/ASTMangler.cpp).
    private mutating func leaveOutMarkerProtocols(from start: Int) {
        let nodes = stack[start...].filter { $0.form != .firstElement }
        stack.removeLast(stack.count - start)
        var index = 0
        while index < nodes.count {
            // A protocol is a context and a name, or one node if it has a standard substitution, such as "SH".
            let isOneNode = nodes[index].form == .type
            let count = isOneNode || index + 1 == nodes.count ? 1 : 2
            let proto = nodes[index..<index + count]
            index += count
            if count == 2, proto.first?.form == .module("Swift"), case .identifier(let name)? = proto.last?.form,
                Self.markerProtocols.contains(name)
            {
                continue
            }
            stack += proto
            if !stack[start...].contains(where: { $0.form == .firstElement }) { _ = push(.firstElement, "_") }
        }
        if stack.count == start { _ = push(.emptyList, "y") }
    }

    private static let markerProtocols: Set<String> = ["Sendable", "SendableMetatype", "BitwiseCopyable"]

    /// A function type: its result, parameters and attributes.
    private mutating func function(_ operation: String) -> Bool {
        let attributes = stack.reversed().prefix { $0.form == .attribute }.count
        let count = attributes + 2
        guard stack.count >= count,
            stack.suffix(count).prefix(2).allSatisfy({ $0.isType || $0.form == .emptyList })
        else { return false }
        return combine(count, operation, .type)
    }
}
