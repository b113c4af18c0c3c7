/// The wording of the patterns in which objects and closures hold each other.
extension HintFinder {
    /// The hint for an object's own storage that leads back to the object.
    ///
    /// If the reference to the storage were weak, the storage would be freed at once.
    private func ownStorage(_ suspect: Int) -> RetainHint? {
        let storage = path.behindStorage(suspect)
        // A property that is named after its owner can be weak.
        guard path.isStorage(storage), ReferenceName(members: path.nodes[storage].members).backRank == 0,
            let held = path.nextShown(after: storage), let owner = path.owner(of: storage)
        else { return nil }
        let name = path.nodes[held].name
        let subject = held == owner ? "\(name) holds itself" : "\(path.nodes[owner].name) and \(name) hold each other"
        let fact = "\(subject): \(property(storage)), the storage of \(property(owner)), refers back to \(name)."
        return RetainHint(
            pattern: .parentAndChild,
            text: "\(fact) Remove \(name) from it when \(name) is no longer needed, or keep only a weak reference "
                + "there.")
    }

    /// The advice for a reference between objects.
    ///
    /// A collection cannot be weak itself.
    private func weakReference(_ holder: Int) -> String {
        let property = property(holder)
        if isCollection(holder) { return "Keep weak references in \(property)" }
        return switch obstacle(to: holder) {
        case .existential:
            "Give \(property) a type of objects, such as a protocol that inherits from AnyObject, and make it weak"
        case .enumeration, .tuple: "Keep a weak reference in \(property)"
        case nil: "Make \(property) weak"
        }
    }

    /// Why the reference of a node to the next shown one cannot be weak.
    private func obstacle(to holder: Int) -> PathNode.ObstacleToWeakness? {
        // A value that does not fit into an existential is in a box, whose property is the innermost.
        var innermost = path.nodes[holder]
        _ = path.nextShown(after: holder) { if $0.role == .box, !$0.members.isEmpty { innermost = $0 } }
        return innermost.obstacleToWeakness
    }

    private func isCollection(_ holder: Int) -> Bool {
        // An element of a ManagedBuffer.
        var isCollection = path.nodes[holder].role == .object && path.nodes[holder].holdsElement
        _ = path.nextShown(after: holder) { isCollection = isCollection || $0.role == .storage }
        return isCollection
    }

    /// The hint for objects that hold each other if nothing tells which one owns the others.
    func undecided(_ references: [Int], in cycle: ClosedRange<Int>) -> RetainHint {
        let objects = cycle.filter { path.nodes[$0].role == .object }
        var names: [String] = []
        for index in references {
            // Users know the property with the storage.
            var name = property(path.isStorage(index) ? path.owner(of: index) ?? index : index)
            if name == path.nodes[index].name, isCollection(index) { name = "the elements of \(name)" }
            if !names.contains(name) { names.append(name) }
        }
        let one = objects.count == 2 ? "the one that does not own the other object" : "one that does not own its object"
        let canBeWeak = references.allSatisfy {
            !isCollection($0) && !path.isStorage($0) && obstacle(to: $0) == nil
        }
        let list = names.count == 1 ? names[0] : Self.list(names)
        let advice =
            if names.count == 1 {
                "Give up one reference \(list) when the objects are no longer needed"
            } else if canBeWeak {
                "Make one of \(list) weak: \(one)"
            } else {
                "Keep only weak references in one of \(list): \(one)"
            }
        return RetainHint(pattern: .parentAndChild, text: "\(enumeration(of: objects)) hold each other. \(advice).")
    }

    /// The names of objects in a cycle.
    private func enumeration(of objects: [Int]) -> String {
        let names = objects.map { path.nodes[$0].name }
        return Set(names).count == 1 ? "\(names.count) objects of type \(names[0])" : Self.list(names)
    }

    /// The hint for an object of Foundation that an object owns, and that refers back to its owner.
    ///
    /// If the reference to it were weak, it would be freed at once. Only a property that is named after its owner can
    /// be weak.
    private func ownOfFoundation(_ suspect: Int, among objects: [Int]) -> RetainHint? {
        guard let held = path.nextShown(after: suspect), objects.contains(held), held != suspect,
            path.nodes[held].module == "Foundation", !path.isOfLibrary(suspect),
            objects.allSatisfy({ $0 == suspect || path.isOfLibrary($0) }),
            ReferenceName(members: path.nodes[suspect].members).backRank == 0
        else { return nil }
        let isCollection = Self.collections.contains(path.nodes[held].bareType)
        guard isCollection || objects.count == 2 else { return nil }
        let (owner, other) = (path.nodes[suspect].name, path.nodes[held].name)
        let advice =
            isCollection
            ? "Remove \(owner) from \(property(suspect)) when \(owner) is no longer needed"
            : "Give up \(property(suspect)) when \(owner) is no longer needed, or let \(other) not refer to \(owner)"
        return RetainHint(pattern: .parentAndChild, text: "\(owner) and \(other) hold each other. \(advice).")
    }

    /// The hint for a key path that holds its owner as the argument of a subscript.
    ///
    /// If the reference to the key path were weak, the key path would be freed at once.
    private func keyPath(_ suspect: Int) -> RetainHint? {
        guard let held = path.nextShown(after: suspect), path.nodes[held].module == "Swift",
            path.nodes[held].bareType.hasSuffix("KeyPath"), let argument = path.nextShown(after: held)
        else { return nil }
        let name = path.nodes[argument].name
        return RetainHint(
            pattern: .parentAndChild,
            text: "\(property(suspect)) keeps a key path, which holds \(name) as the argument of a subscript. "
                + "Give up the key path when \(path.nodes[suspect].name) is no longer needed, or use an argument that "
                + "does not lead to it.")
    }

    private static let collections: Set<String> = [
        "NSArray", "NSMutableArray", "NSDictionary", "NSMutableDictionary", "NSSet", "NSMutableSet", "NSCountedSet",
        "NSOrderedSet", "NSMutableOrderedSet", "NSCache",
    ]

    /// The library's object that refers back to the object of the program, if the program owns its part of the cycle.
    ///
    /// A chain of a library's objects that begins in a property or a collection of the program's object would die if
    /// that property were weak. Between two objects, the property may as well be the reference back.
    func libraryHolder(of suspect: Int, among objects: [Int]) -> Int? {
        guard let next = path.nextShown(after: suspect), let position = objects.firstIndex(of: suspect) else {
            return nil
        }
        let back = objects[(position + objects.count - 1) % objects.count]
        guard path.isOfLibrary(back), path.isOfLibrary(next), !path.isOfLibrary(suspect), back != next else {
            return nil
        }
        return back
    }

    /// Whether a cycle consists of closures and the variables that they capture, so that no object can be weak.
    func isOfClosuresAlone(_ cycle: ClosedRange<Int>) -> Bool {
        cycle.allSatisfy { [.closure, .thunk, .box, .storage].contains(path.nodes[$0].role) }
    }

    /// The hint for such a cycle.
    func closuresAlone(in cycle: ClosedRange<Int>) -> RetainHint {
        var names: [String] = []
        for index in cycle where path.nodes[index].role == .closure && !names.contains(name(index)) {
            names.append(name(index))
        }
        let isCollection = cycle.contains { path.nodes[$0].role == .storage }
        let advice =
            "Closures cannot be captured weakly. \(isCollection ? "Empty the variable" : "Set the variable to nil") "
            + "when the closure is no longer needed, or do not use the variable in the closure."
        let fact =
            names.count == 1
            ? "\(names[0]) captures the variable that holds the closure itself."
            : "\(Self.list(names)) hold each other through the variables that they capture."
        return RetainHint(pattern: .ownClosure, text: "\(fact) \(advice)")
    }

    private static func list(_ names: [String]) -> String {
        names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    }

    func parentAndChild(_ suspect: Int, in cycle: ClosedRange<Int>) -> RetainHint? {
        let objects = cycle.filter { path.nodes[$0].role == .object }
        guard path.nodes[suspect].role == .object else { return nil }
        guard objects.count > 1 else {
            let isAlone = cycle.allSatisfy { $0 == suspect || [.storage, .box].contains(path.nodes[$0].role) }
            return isAlone ? ownReference(suspect) : nil
        }
        if let hint = ownStorage(suspect) { return hint }
        let all = enumeration(of: objects)
        if let hint = ownOfFoundation(suspect, among: objects) ?? keyPath(suspect) { return hint }
        if let library = libraryHolder(of: suspect, among: objects) {
            let name = path.nodes[suspect].name
            let remedy =
                "Cancel, close or remove \(path.nodes[library].name) when \(name) is no longer needed, or give the "
                + "library a closure that captures \(name) weakly."
            return RetainHint(
                pattern: .parentAndChild,
                text: "\(all) hold each other. \(property(library)), of a library, refers to \(name). \(remedy)")
        }
        return RetainHint(
            pattern: .parentAndChild,
            text: "\(all) hold each other. \(weakReference(suspect))\(alternative(to: suspect, among: objects)).")
    }

    /// The hint for an object that holds itself, without another object in between.
    private func ownReference(_ object: Int) -> RetainHint {
        let name = path.nodes[object].name
        return RetainHint(
            pattern: .parentAndChild,
            text:
                "\(name) holds itself through \(property(object)). \(weakReference(object)), or give up the reference "
                + "when \(name) is no longer needed.")
    }

    /// The advice in case that the suspect owns the next object, which has it in a collection.
    ///
    /// No name says which of the two owns the other.
    private func alternative(to suspect: Int, among objects: [Int]) -> String {
        guard objects.count == 2, let other = objects.first(where: { $0 != suspect }), isCollection(other),
            ReferenceName(members: path.nodes[suspect].members).backRank == 0
        else { return "" }
        let (name, owned) = (path.nodes[suspect].name, path.nodes[other].name)
        return ", or, if \(name) owns \(owned), remove \(name) from \(property(other))"
    }
}
