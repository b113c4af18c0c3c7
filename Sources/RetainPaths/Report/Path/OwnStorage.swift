extension NamedPath {
    /// Whether an object in a cycle seems to be the private storage of the object that holds it, such as the cell of a
    /// property wrapper, or a box with an array.
    ///
    /// No metadata says so. The object counts as storage if two of these signs agree: it is in a property of a
    /// structure in its holder; its type is generic; the type's arguments contain the holder's type in a collection or
    /// an optional; its only argument is the type of the object that it holds, another than the holder's; the type's
    /// name is one that is usual for storage; the property and what the object holds are named as those of a property
    /// wrapper; its value is called `wrappedValue`.
    func isStorage(_ index: Int) -> Bool {
        guard let cycle, cycle.contains(index), nodes[index].role == .object, let holder = holder(of: index),
            nodes[index].type != nodes[holder].type
        else { return false }
        let type = nodes[index].type
        let arguments = type.firstIndex(of: "<").map { type[$0...] } ?? ""
        let holdsHolder =
            !nodes[holder].type.isEmpty && arguments.contains(nodes[holder].type)
            && Self.valueTypes.contains { arguments.contains($0) }
        let name = nodes[index].bareType
        let signs = [
            nodes[holder].members.split(separator: ".").filter { !$0.allSatisfy(\.isNumber) }.count > 1,
            !arguments.isEmpty, holdsHolder, isNamedAfterContents(index, in: holder, arguments),
            Self.storageNames.contains(where: name.hasSuffix),
            isNamedAsWrapper(index, in: holder, arguments), nodes[index].members.hasSuffix("rappedValue"),
        ]
        return signs.filter(\.self).count > 1
    }

    /// Whether the argument of an object's type is the type of the object that it holds, as for `Relation<Author>`.
    private func isNamedAfterContents(_ index: Int, in holder: Int, _ arguments: Substring) -> Bool {
        guard let held = nextShown(after: index), nodes[held].role == .object, !nodes[held].type.isEmpty,
            nodes[held].type != nodes[holder].type
        else { return false }
        return arguments == "<\(nodes[held].type)>"
    }

    /// Whether a property and the object in it are named as those of a property wrapper that is a class.
    ///
    /// The compiler puts an underscore before the name of the wrapped property. The wrapper's own property is usually
    /// called the value, or the argument of the wrapper's type is the type of the value. The latter says nothing if the
    /// property is named after an owner, as `_owner` in an element of a generic list is.
    private func isNamedAsWrapper(_ index: Int, in holder: Int, _ arguments: Substring) -> Bool {
        guard nodes[holder].members.hasPrefix("._") else { return false }
        if ReferenceName.isValue(nodes[index].members) { return true }
        guard ReferenceName(members: nodes[holder].members).backRank == 0, let held = nextShown(after: index),
            nodes[held].type != nodes[holder].type
        else { return false }
        return !nodes[held].type.isEmpty && arguments.contains(nodes[held].type)
    }

    /// The object that owns the storage at a position in a cycle; `nil` if there is none.
    func owner(of storage: Int) -> Int? {
        var owner = storage
        for _ in nodes.indices where isStorage(owner) {
            guard let holder = holder(of: owner) else { return nil }
            owner = holder
        }
        return isStorage(owner) ? nil : owner
    }

    /// The last storage behind a reference to storage, which leads on to an object with a purpose of its own; the
    /// node itself if it does not refer to storage.
    func behindStorage(_ holder: Int) -> Int {
        var last = holder
        for _ in nodes.indices {
            guard let next = nextShown(after: last), isStorage(next) else { return last }
            last = next
        }
        return holder
    }

    /// The object in a cycle that holds a node in one of its properties, rather than in a collection.
    private func holder(of index: Int) -> Int? {
        guard let cycle else { return nil }
        let before = index == cycle.lowerBound ? cycle.upperBound : index - 1
        return nodes[before].role == .object && before != index ? before : nil
    }

    private static let valueTypes = ["Swift.Array<", "Swift.Dictionary<", "Swift.Set<", "Swift.Optional<"]

    private static let storageNames = ["Storage", "Box", "Buffer", "Cell", "Ref", "Reference", "Wrapper"]
}
