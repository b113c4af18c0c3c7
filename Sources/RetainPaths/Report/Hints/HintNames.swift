/// The names of the objects, closures and properties in this case.
extension HintFinder {
    /// The name of the instance that should have died.
    var gone: String {
        let name = path.nodes[path.firstGone].name
        if let cycle = path.cycle, cycle.contains(path.firstGone), path.isOfLibrary(path.firstGone),
            let own = cycle.first(where: { path.nodes[$0].role == .object && !path.isOfLibrary($0) })
        {
            return path.nodes[own].name
        }
        guard let cycle = path.cycle, !cycle.contains(path.firstGone) else { return name }
        // Advice about a reference behind the cycle does not free the cycle's objects.
        if let suspect = path.suspect, suspect > cycle.upperBound { return name }
        // A cycle of closures and variables alone has no instance.
        return cycle.first { path.nodes[$0].role == .object }.map { path.nodes[$0].name } ?? name
    }

    func name(_ closure: Int) -> String {
        path.nodes[closure].closure?.brief ?? path.nodes[closure].name
    }

    /// `captures DetailScreen strongly`.
    ///
    /// If the captured object is not the instance in question, the text also says that the object leads to the
    /// instance.
    func capture(_ closure: Int) -> String {
        let captured = path.nextShown(after: closure)
        let leads = captured != path.firstGone && path.cycle == nil ? ", which leads to \(gone)" : ""
        return path.through(closure) + leads
    }

    /// The advice for the closure's code.
    func weakly(_ closure: Int) -> String {
        let captured = path.nextShown(after: closure)
        let other =
            captured.map {
                path.nodes[$0].role == .object && (!path.isOfLibrary($0) || holdsDirectly($0, closure))
                    ? path.nodes[$0].name : gone
            } ?? gone
        // An element cannot be captured weakly.
        switch path.container(capturedBy: closure) {
        case .collection(let collection): return "Remove \(other) from the \(collection) that the closure captures"
        case .constant(let collection):
            return "Capture only what the closure needs of the \(collection), and \(other) weakly"
        case .slice: return "Capture a copy of the needed elements, Array(…), instead of the slice"
        case .variable, nil: break
        }
        // Neither a stream nor its continuation can be captured weakly.
        if let captured, Self.isStream(path.nodes[captured].type) {
            return "Do not use the stream or its continuation in the closure"
        }
        // A method's closure may as well capture another object of the type than `self`.
        let list = path.mayCaptureSelf(closure) ? " ([weak self] if it is self)" : ", [weak …]"
        // Only closures have a capture list.
        return path.nodes[closure].closure?.brief.hasPrefix("closure") ?? true
            ? "Capture \(other) weakly in the closure\(list)"
            : "Use a closure instead that captures \(other) weakly\(list)"
    }

    /// Whether an object in a cycle holds a closure without another object in between.
    private func holdsDirectly(_ object: Int, _ closure: Int) -> Bool {
        path.cycle?.contains(object) ?? false && path.nextShown(after: object) == closure
    }

    /// The beginning of a sentence about a node: `Hub.subs keeps`.
    ///
    /// An object or a variable that may not hold the node is not named. If the path begins at a named variable, this
    /// variable is named, but not as the certain holder.
    func keeping(_ index: Int) -> String {
        if let keeper = keeper(of: index) { return "\(keeper) keeps" }
        let isNamed = path.beginsAtRoot && path.nodes[0].isNamedVariable
        return isNamed ? "\(path.nodes[0].name) seems to keep" : "An unknown holder keeps"
    }

    /// The owner of a node, with the property: `Hub.subs`, `static Hub.shared`; `nil` if it may not hold the node.
    ///
    /// If there are other closures between owner and node, the text says so.
    private func keeper(of index: Int) -> String? {
        let previous = path.cycle?.lowerBound == index ? path.cycle?.upperBound : index - 1
        guard let previous, previous >= 0 else { return nil }
        let last = path.lastShown(upTo: previous)
        let owners = path.nodes[...last].indices.filter { path.isShown($0) && Self.isOwner(path.nodes[$0]) }
        // Users do not know the private types of a library, such as the buffer of a deque.
        let owner = owners.last { !isPrivateToLibrary($0) } ?? owners.last ?? 0
        guard !needsCertainty(path.nodes[owner]) || holdsCertainly(owner, previous + 1) else { return nil }
        let isDirect = !path.nodes[owner...last].contains { $0.role == .closure }
        return isDirect ? property(owner) : "\(property(owner)), through other closures,"
    }

    /// Whether a hint may name the node only if it holds the next node for certain.
    ///
    /// No type describes the references of a task or of a well-known variable of the system.
    private func needsCertainty(_ node: PathNode) -> Bool {
        switch node.role {
        case .object: true
        case .root: node.kind == .global && !RootName.isWellKnown(node.name)
        default: false
        }
    }

    /// Whether an object is of a library's type whose name says that it is private.
    func isPrivateToLibrary(_ index: Int) -> Bool {
        path.isOfLibrary(index) && path.nodes[index].bareType.hasPrefix("_")
    }

    private static func isOwner(_ node: PathNode) -> Bool {
        switch node.role {
        case .closure, .block(.closure): false
        default: true
        }
    }

    /// A node with the properties through which it holds the next, without elements: `Hub.subs`.
    func property(_ index: Int) -> String {
        let node = path.nodes[index]
        // The private properties of a library's object mean nothing to users.
        let isPrivate = node.members.hasPrefix("._") && path.isOfLibrary(index)
        var text = isPrivate ? node.name : node.name + node.shownMembers
        // What lies behind an element of a collection is no part of the property.
        let inside = path.nodes[(index + 1)...].prefix { $0.isFolded && $0.role != .storage }
        for folded in inside where folded.role == .box {
            text += folded.shownMembers
        }
        return text
    }
}
