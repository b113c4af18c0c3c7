/// The stack on which the operators of a mangled name combine their operands, and the nodes that a substitution in the
/// name can repeat.
struct NameStack {
    private(set) var nodes: [NameNode] = []
    private var substitutions: [NameNode] = []

    // MARK: Operands

    mutating func pushIdentifier(_ name: String) {
        let node = NameNode(form: .identifier(name), pieces: [.text("\(name.utf8.count)\(name)")])
        nodes.append(node)
        substitutions.append(node)
    }

    /// Repeats an earlier node; false if there is no such node.
    mutating func repeatSubstitution(_ index: Int, count: Int = 1) -> Bool {
        guard index < substitutions.count else { return false }
        nodes += Array(repeating: substitutions[index], count: count)
        return true
    }

    mutating func push(_ form: NameNode.Form, _ text: String) -> Bool {
        nodes.append(NameNode(form: form, pieces: [.text(text)]))
        return true
    }

    // MARK: Operators

    /// Replaces the last nodes by one node, which ends with the operator.
    mutating func combine(
        _ count: Int, _ operation: String, _ form: NameNode.Form, where isRight: (NameNode) -> Bool = { _ in true }
    ) -> Bool {
        guard nodes.count >= count, nodes.suffix(count).allSatisfy(isRight) else { return false }
        let pieces = nodes.suffix(count).flatMap(\.pieces) + [.text(operation)]
        nodes.removeLast(count)
        nodes.append(NameNode(form: form, pieces: pieces))
        return pieces.count <= NameExpansion.sizeLimit
    }

    mutating func optional() -> Bool {
        guard combine(1, "Sg", .type, where: \.isType), let optional = nodes.last else { return false }
        substitutions.append(optional)
        return true
    }

    mutating func privateName() -> Bool {
        guard nodes.count >= 2, case .identifier(let name) = nodes[nodes.count - 2].form,
            case .identifier = nodes[nodes.count - 1].form
        else { return false }
        return combine(2, "LL", .identifier(name))
    }

    /// A type in a module or in another type.
    mutating func nominal(_ operation: String, _ kind: ContextDescriptor.Kind) -> Bool {
        guard nodes.count >= 2, case .identifier(let name) = nodes[nodes.count - 1].form else { return false }
        let context = nodes[nodes.count - 2]
        let names: [String]
        switch context.form {
        case .identifier(let module), .module(let module): names = [module, name]
        case .nominal(let outer): names = outer.names + [name]
        // A type of the standard library with a substitution, such as "ScS" for AsyncStream, is a context, too.
        case .anExtension, .type:
            guard combine(2, operation, .type), let type = nodes.last else { return false }
            substitutions.append(type)
            return true
        default: return false
        }
        let path = NominalTypes.Path(kind: kind, names: names)
        let text = context.text + nodes[nodes.count - 1].text + operation
        nodes.removeLast(2)
        let node = NameNode(form: .nominal(path), pieces: [.nominal(path, text: text)])
        nodes.append(node)
        substitutions.append(node)
        return true
    }

    /// A generic type with its arguments.
    ///
    /// The arguments are lists of types: the first list follows `y`, each other list `_`.
    mutating func bound() -> Bool {
        guard let start = nodes.lastIndex(where: { $0.form == .emptyList }), start > 0, nodes[start - 1].isType,
            nodes[(start + 1)...].allSatisfy({ $0.isType || $0.form == .firstElement }),
            combine(nodes.count - start + 1, "G", .type), let type = nodes.last
        else { return false }
        substitutions.append(type)
        return true
    }

    /// A tuple or a pack of types: its elements, those of a tuple with or without labels, with `_` after the first
    /// element; or an empty list.
    mutating func list(_ operation: String) -> Bool {
        if nodes.last?.form == .emptyList { return combine(1, operation, .type) }
        guard let marker = nodes.lastIndex(where: { $0.form == .firstElement }), marker > 0 else { return false }
        var start = marker - 1
        if case .identifier = nodes[start].form { start -= 1 }
        guard start >= 0, nodes[start].isType else { return false }
        return combine(nodes.count - start, operation, .type)
    }

    /// A list of protocols: each is a name in a module, or a protocol of the standard library.
    mutating func protocols(_ operation: String) -> Bool {
        if nodes.last?.form == .emptyList { return combine(1, operation, .type) }
        guard let marker = nodes.lastIndex(where: { $0.form == .firstElement }) else { return false }
        var start = marker - 1
        guard start >= 0 else { return false }
        if case .identifier = nodes[start].form { start -= 1 }
        guard start >= 0 else { return false }
        leaveOutMarkerProtocols(from: start)
        return combine(nodes.count - start, operation, .type)
    }

    /// Removes marker protocols from the list of protocols from an index of the stack on.
    ///
    /// A marker protocol has no requirements and no descriptor, so the metadata of an existential type does not contain
    /// it, and the runtime does not find it by name. The compiler removes marker protocols from the names that it makes
    /// for the runtime, but not from symbols ("AllowMarkerProtocols" in lib/IRGen/IRGenMangler.cpp and
    /// lib/AST/ASTMangler.cpp).
    private mutating func leaveOutMarkerProtocols(from start: Int) {
        let parts = nodes[start...].filter { $0.form != .firstElement }
        nodes.removeLast(nodes.count - start)
        var index = 0
        while index < parts.count {
            // A protocol is a context and a name, or one node if it has a standard substitution, such as "SH".
            let isOneNode = parts[index].form == .type
            let count = isOneNode || index + 1 == parts.count ? 1 : 2
            let proto = parts[index..<index + count]
            index += count
            if count == 2, proto.first?.form == .module("Swift"), case .identifier(let name)? = proto.last?.form,
                Self.markerProtocols.contains(name)
            {
                continue
            }
            nodes += proto
            if !nodes[start...].contains(where: { $0.form == .firstElement }) { _ = push(.firstElement, "_") }
        }
        if nodes.count == start { _ = push(.emptyList, "y") }
    }

    private static let markerProtocols: Set<String> = ["Sendable", "SendableMetatype", "BitwiseCopyable"]

    /// A function type: its result, parameters and attributes.
    mutating func function(_ operation: String) -> Bool {
        let attributes = nodes.reversed().prefix { $0.form == .attribute }.count
        let count = attributes + 2
        guard nodes.count >= count,
            nodes.suffix(count).prefix(2).allSatisfy({ $0.isType || $0.form == .emptyList })
        else { return false }
        return combine(count, operation, .type)
    }
}
