import LifetimeTracer

extension NamedPath {
    /// The path in words that are the same for the same leak in every run: types, properties and closures, without
    /// addresses, indices and keys.
    ///
    /// `static Hub.shared → Hub.subs.1 → closure in DetailScreen.bind() → DetailScreen`; of a cycle the way round.
    var signature: [String] {
        var words = stableWords(nodes.indices, of: \.name)
        if let cycle, cycle.upperBound == nodes.count - 1 {
            words.append(Self.stableName(nodes[cycle.lowerBound], \.name))
        }
        return words
    }

    /// The name of the leak: of the suspect's part of the path.
    ///
    /// A cycle has the same one from whichever of its objects it was found, and so has what it leaks. On the way from a
    /// root it is what begins with the last object before the suspect, or the suspect itself, and ends with the first
    /// instance that should have gone: its victims share it.
    var fingerprint: Fingerprint? {
        if let cycle {
            // What may be no cycle at all has no name.
            guard nodes[cycle].allSatisfy(\.isCertain) else { return nil }
            let words = stableWords(cycle.lowerBound..<(cycle.upperBound + 1), of: \.type)
            return words.isEmpty ? nil : Fingerprint(parts: ["cycle"] + Self.leastRotation(of: words))
        }
        guard beginsAtRoot else {
            guard nodes.allSatisfy(\.isCertain) else { return nil }
            // What was retained too often is the first; all that it holds is the same leak.
            return Fingerprint(parts: ["unexplained", Self.stableName(nodes[0], \.type)])
        }
        let owner = suspect.map { nodes[$0].role == .object ? $0 : holder(before: $0) } ?? 0
        let isWhole = nodes[owner..<firstGone].allSatisfy(\.isCertain)
        // What is not certain may be another in the next run.
        guard let start = isWhole ? owner : suspect else { return nil }
        // Without what the instance itself holds, which is another matter.
        let words = stableWords(start..<firstGone, of: \.type) + [Self.stableName(nodes[firstGone], \.type)]
        return Fingerprint(parts: ["path"] + words)
    }

    /// The last object before a node, else the root.
    private func holder(before index: Int) -> Int {
        nodes[..<index].indices.last { nodes[$0].role == .object } ?? 0
    }

    /// A word for each node that the short form shows, with the properties of those it leaves out.
    ///
    /// - Parameter typeName: How an object's type is written: with its module, or short.
    private func stableWords(_ range: Range<Int>, of typeName: KeyPath<PathNode, String>) -> [String] {
        var words: [String] = []
        for index in range {
            let node = nodes[index]
            let members = index + 1 < nodes.count || cycle?.upperBound == index ? node.members : ""
            if node.role == .closure, let next = nextShown(after: index), next != index,
                nodes[next].role == .closure
            {
                // Which closures pass a call on to the one that captures is up to the optimiser and the library.
                continue
            } else if isShown(index) {
                words.append(Self.stableName(node, typeName) + members)
            } else if node.role != .thunk, node.role != .plumbing, !words.isEmpty,
                nodes[lastShown(upTo: index)].role != .closure
            {
                // What a closure captures is known by its type; of what is in it only some builds tell the property.
                words[words.count - 1] += members
            }
        }
        return words
    }

    private static func stableName(_ node: PathNode, _ typeName: KeyPath<PathNode, String>) -> String {
        switch node.role {
        case .closure: node.closure?.stable ?? "closure"
        // A thread's name or number and a block's size may differ from run to run.
        case .root: node.kind == .stack ? "stack" : withoutPlaces(node.name)
        case .block: node.kind.rawValue
        case .object, .storage, .plumbing: node[keyPath: typeName]
        case .thunk, .box, .task: node.name
        case .gap: "…"
        }
    }

    /// Without the addresses of variables that have no symbol: `global at server+0x1234`.
    private static func withoutPlaces(_ name: String) -> String {
        name.place(of: "+0x").map { String(name[..<$0.lowerBound]) } ?? name
    }

    private static func leastRotation(of words: [String]) -> [String] {
        let rotations = words.indices.map { Array(words[$0...] + words[..<$0]) }
        return rotations.min { $0.lexicographicallyPrecedes($1) } ?? words
    }
}
