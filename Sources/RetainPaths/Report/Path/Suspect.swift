extension NamedPath {
    /// The node whose reference should be given up, most likely; never one that the short form leaves out.
    ///
    /// On the way from a root some objects are expected to live, the root and what it holds directly, and the instance
    /// is expected to be gone; somewhere between lies the reference that is one too many. It is looked for from the
    /// instance backwards: an object goes with the one that holds it in a property, but a closure, an element of a
    /// collection or a task is held until somebody lets go of it. In a cycle it is the reference that leads back: what
    /// a closure captures, or a property that by its name points to who owns the object.
    ///
    /// `nil` also where the reference, or one behind it, is not certain: no advice rests on a word that may be none.
    var suspect: Int? {
        guard let index = likelySuspect, isCertain(from: index) else { return nil }
        return index
    }

    private var likelySuspect: Int? {
        if let cycle { return suspect(in: cycle).flatMap { ownReference(in: cycle, upTo: $0) } }
        // What a running function holds it gives up by itself.
        guard beginsAtRoot, let index = suspectOnTheWay.flatMap(lastOwnReference), nodes[index].kind != .stack
        else { return nil }
        return index
    }

    /// The last reference up to one that the program's own code wrote: nobody edits a library.
    private func lastOwnReference(upTo index: Int) -> Int? {
        isOfLibrary(index) ? nodes[..<index].indices.last(where: isOwn) : index
    }

    /// The same round a cycle.
    private func ownReference(in cycle: ClosedRange<Int>, upTo index: Int) -> Int? {
        guard cycle.contains(index), isOfLibrary(index) else { return lastOwnReference(upTo: index) }
        return (cycle.lowerBound..<index).last(where: isOwn) ?? cycle.last(where: isOwn)
    }

    private func isOwn(_ index: Int) -> Bool {
        switch nodes[index].role {
        case .root, .object, .closure: isShown(index) && !isOfLibrary(index)
        default: false
        }
    }

    /// Whether all references from a node to the instance are certain; in a cycle, all that close it.
    func isCertain(from index: Int) -> Bool {
        if let cycle, cycle.contains(index) { return nodes[cycle].allSatisfy(\.isCertain) }
        return nodes[index..<max(index + 1, firstGone)].allSatisfy(\.isCertain)
    }

    private var suspectOnTheWay: Int? {
        let gone = firstGone
        for index in (0..<gone).reversed() {
            switch nodes[index].role {
            case .closure, .task:
                return index
            case .storage:
                return holderOfCollection(at: index)
            case .root:
                return index
            case .object, .block:
                if index > 0, nodes[lastShown(upTo: index - 1)].role == .root { return lastShown(upTo: index) }
            case .thunk, .box, .plumbing, .gap:
                break
            }
        }
        return nil
    }

    /// Who owns a collection; or a closure before it that captures its own `self` with all that belongs to it.
    private func holderOfCollection(at index: Int) -> Int {
        let owner = lastShown(upTo: index)
        guard owner > 0 else { return owner }
        let holder = lastShown(upTo: owner - 1)
        let capturesSelf = nodes[holder].closure?.isWritten(in: nodes[owner].bareType) ?? false
        return capturesSelf ? holder : owner
    }

    private func suspect(in cycle: ClosedRange<Int>) -> Int? {
        // A cycle of a library's own, such as a session and its tasks, is nothing that anybody could mend.
        if cycle.contains(where: { nodes[$0].role == .closure }), cycle.allSatisfy(isLibrarys),
            let behind = suspectOnTheWay, behind > cycle.upperBound
        {
            return behind
        }
        // The closure that captures its own self, else the last before the instance comes round again.
        let closures = cycle.filter { nodes[$0].role == .closure }
        if let own = closures.last(where: capturesOwner) ?? closures.last { return own }
        let owners = cycle.filter { nodes[$0].role == .object && Self.pointsToOwner(nodes[$0].members) }
        if let back = owners.last { return back }
        if let task = cycle.last(where: { nodes[$0].role == .task }) { return task }
        return backFromCollection(in: cycle) ?? lastShown(upTo: cycle.upperBound)
    }

    /// Whether a node is of a library, or nothing that has been written anywhere.
    private func isLibrarys(_ index: Int) -> Bool {
        let node = nodes[index]
        return isOfLibrary(index) || node.role != .object && node.role != .closure
    }

    /// Whether a closure captures an object of the type it is written in.
    func capturesOwner(_ index: Int) -> Bool {
        guard let closure = nodes[index].closure, let held = nextShown(after: index) else { return false }
        return closure.isWritten(in: nodes[held].bareType)
    }

    /// Who has many of a kind owns them: then it is the reference back to the owner that is one too many.
    private func backFromCollection(in cycle: ClosedRange<Int>) -> Int? {
        guard let storage = cycle.first(where: { nodes[$0].role == .storage }) else { return nil }
        let owner = lastShown(upTo: storage)
        guard cycle.contains(owner) else { return nil }
        // The last node before the owner comes round again.
        let before = owner == cycle.lowerBound ? cycle.upperBound : owner - 1
        let back = lastShown(upTo: before)
        return cycle.contains(back) && back != owner ? back : nil
    }

    /// Whether a property's name says that it points to whoever owns the object.
    private static func pointsToOwner(_ members: String) -> Bool {
        guard let name = members.split(separator: ".").last?.lowercased() else { return false }
        return ownerNames.contains { name == $0 || name.hasSuffix($0) || name == "_\($0)" }
    }

    private static let ownerNames = [
        "parent", "owner", "delegate", "datasource", "superview", "presenter", "coordinator", "container", "host",
        "backreference",
        "previous", "target", "listener", "root",
    ]
}
