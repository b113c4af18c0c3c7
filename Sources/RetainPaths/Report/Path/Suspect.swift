extension NamedPath {
    /// The node whose reference should most likely be given up; never a folded node.
    ///
    /// On a path from a root, the root and the objects that it holds directly are expected to live, and the instance is
    /// expected to be gone. Somewhere in between is the superfluous reference. The search for this reference starts at
    /// the instance, because an object in a property dies with its owner, while a closure, an element of a collection
    /// or a task is held until the program removes it. In a cycle, the suspect is the reference that leads back: the
    /// capture of a closure, or a property whose name says that it points to the owner.
    ///
    /// `nil` if the reference, or a reference behind it, is not certain: advice must not rest on a word that may be no
    /// reference. In a cycle, all references must be certain, but a closure behind it may be the suspect. `nil` also if
    /// several references are equally likely.
    var suspect: Int? {
        let likely = likelySuspects
        guard let index = likely.last, likely.count == 1, isCertain(from: index) else { return nil }
        return index
    }

    /// The references of a cycle of which nothing tells which one leads back; empty if there is a suspect, or if a
    /// reference is not certain.
    var undecidedSuspects: [Int] {
        let likely = likelySuspects
        return likely.count > 1 && likely.allSatisfy { isCertain(from: $0) } ? likely : []
    }

    private var likelySuspects: [Int] {
        if let cycle {
            let own = Set(suspects(in: cycle).compactMap { ownReference(in: cycle, upTo: $0) })
            return own.allSatisfy({ isCertain(from: $0) }) ? own.sorted() : certainSuspect(behind: cycle)
        }
        // A running function gives up its references when it returns.
        guard beginsAtRoot, let index = suspectOnTheWay.flatMap(lastOwnReference), nodes[index].kind != .stack
        else { return [] }
        return [index]
    }

    /// The closure or task behind a cycle that is not certain, through which the cycle holds the instance for certain.
    ///
    /// Whatever holds it, such a closure keeps the instance; empty if there is none.
    private func certainSuspect(behind cycle: ClosedRange<Int>) -> [Int] {
        guard let behind = suspectOnTheWay, behind > cycle.upperBound, nodes[behind].role == .closure,
            !isOfLibrary(behind), isCertain(from: behind)
        else { return [] }
        return [behind]
    }

    /// The last reference at or before a node that the program's own code contains.
    ///
    /// Users of a library do not edit the library.
    private func lastOwnReference(upTo index: Int) -> Int? {
        isOfLibrary(index) ? nodes[..<index].indices.last(where: isOwn) : index
    }

    /// The last such reference in a cycle.
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

    /// Whether all references from a node to the end of the path are certain; for a node in a cycle, also the other
    /// references of the cycle.
    func isCertain(from index: Int) -> Bool {
        let start = cycle.flatMap { $0.contains(index) ? $0.lowerBound : nil } ?? index
        // The last node holds a node only if it closes the cycle.
        let end = cycle?.upperBound == nodes.count - 1 ? nodes.count : nodes.count - 1
        return nodes[start..<max(start + 1, end)].allSatisfy(\.isCertain)
    }

    private var suspectOnTheWay: Int? {
        let gone = firstGone
        for index in (0..<gone).reversed() {
            switch nodes[index].role {
            case .closure where isDeallocator(index):
                break
            case .closure, .task:
                return index
            case .storage:
                return holderOfCollection(at: index)
            case .object where nodes[index].holdsElement || linksElement(index):
                return index
            case .root:
                return index
            case .object, .block:
                if index > 0, nodes[lastShown(upTo: index - 1)].role == .root { return lastShown(upTo: index) }
            case .box where isKeptError(index):
                return lastShown(upTo: index - 1)
            case .thunk, .box, .plumbing, .gap:
                break
            }
        }
        return nil
    }

    /// Whether a node is an element of a linked list that holds the next or the previous element.
    ///
    /// A list holds its elements until the program removes them, like any other collection.
    func linksElement(_ index: Int) -> Bool {
        guard let next = nextShown(after: index), nodes[next].role == .object else { return false }
        return nodes[next].type == nodes[index].type && ReferenceName(members: nodes[index].members).isLink
    }

    /// Whether a node is an error in a property whose name says that it is about the past, such as `lastFailure`.
    ///
    /// Such a property keeps the error until another one takes its place, while its object lives on.
    private func isKeptError(_ index: Int) -> Bool {
        index > 0 && nodes[index].name == NodeReader.errorBox && nodes[index - 1].role == .object
            && ReferenceName(members: nodes[index - 1].members).isAboutThePast
    }

    /// The owner of a collection; or, if a closure before it captures the owner as its own `self`, that closure.
    private func holderOfCollection(at index: Int) -> Int {
        let owner = lastShown(upTo: index)
        guard owner > 0 else { return owner }
        let holder = lastShown(upTo: owner - 1)
        let capturesSelf = nodes[holder].closure?.isWritten(in: nodes[owner].bareType) ?? false
        return capturesSelf ? holder : owner
    }

    private func suspects(in cycle: ClosedRange<Int>) -> [Int] {
        // Nobody can change a cycle within a library, such as that of a session and its tasks.
        if cycle.contains(where: { nodes[$0].role == .closure }), cycle.allSatisfy(isLibrarys),
            let behind = suspectOnTheWay, behind > cycle.upperBound
        {
            return [behind]
        }
        // The suspect is the closure that captures its own self, else the last closure that captures an object, which
        // it can capture weakly.
        let closures = cycle.filter { nodes[$0].role == .closure }
        let capturesObject: (Int) -> Bool = { index in
            nextShown(after: index).map { nodes[$0].role == .object } ?? false
        }
        if let own = closures.last(where: capturesOwner) ?? closures.last(where: capturesObject) ?? closures.last {
            return [own]
        }
        let back = backReferences(in: cycle)
        if back.allSatisfy({ $0.backRank == 0 }), let task = cycle.last(where: { nodes[$0].role == .task }) {
            return [task]
        }
        guard let last = back.last else { return [lastShown(upTo: cycle.upperBound)] }
        // References with equal names are one for users.
        let isOneName = last.backRank > 0 && back.allSatisfy { places($0) == places(last) }
        return isOneName ? [last.node] : back.map(\.node)
    }

    /// The type and the property of a reference.
    private func places(_ reference: CycleReference) -> [String] {
        [nodes[reference.node].type, nodes[reference.node].members]
    }

    /// Whether a node is a library's, or has no source code.
    private func isLibrarys(_ index: Int) -> Bool {
        let node = nodes[index]
        return isOfLibrary(index) || node.role != .object && node.role != .closure
    }

    /// Whether a closure captures an object of the type in whose code the closure is.
    func capturesOwner(_ index: Int) -> Bool {
        guard let closure = nodes[index].closure, let held = nextShown(after: index) else { return false }
        return closure.isWritten(in: nodes[held].bareType)
    }

    /// Whether the object that a closure captures may be the `self` of the code in which the closure is.
    func mayCaptureSelf(_ index: Int) -> Bool {
        // In static code, `self` is the type.
        capturesOwner(index) && !(nodes[index].closure?.isInStaticCode ?? false)
    }
}
