import LifetimeTracer

extension NamedPath {
    /// The path in words that are the same for the same leak in every run: types, properties and closures, without
    /// addresses, indices and keys.
    ///
    /// `static Hub.shared → Hub.subs.1 → closure in DetailScreen.bind() → DetailScreen`; for a cycle, the words
    /// end with the name of the first node. Repeated words, such as those of a linked list, are one.
    var signature: [String] {
        var words = stableWords(nodes.indices, of: \.name)
        if cycle == nil { words = Self.withoutRepetition(words) }
        if let cycle, cycle.upperBound == nodes.count - 1 {
            words.append(Word(Self.stableName(nodes[cycle.lowerBound], \.name)))
        }
        return words.map(\.text)
    }

    /// The fingerprint of the leak, from the suspect's part of the path.
    ///
    /// A cycle has the same fingerprint regardless of the object in which the path enters it, and so do the instances
    /// that the cycle leaks. On a path from a root, the part begins with the last object before the suspect, or with
    /// the suspect if it is an object. It ends with the first instance that should have died, so victims share their
    /// culprit's fingerprint.
    var fingerprint: Fingerprint? { fingerprintParts.map(Fingerprint.init(parts:)) }

    /// The words without the way from an object to another one of its type, and whether there is such a way.
    ///
    /// The words are the same for all elements of a tree, whether they hang on a left or a right node, and at any
    /// depth. They are those of the fingerprint's part of the path, if there is one.
    var wordsWithoutDetours: (words: [String], hasDetour: Bool) {
        guard cycle == nil, beginsAtRoot else { return (fingerprintParts ?? signature, false) }
        let words = { (hasLinks: Bool) in
            leakingPart(hasLinks: hasLinks) ?? stableWords(nodes.indices, of: \.type, hasLinks: hasLinks)
        }
        let without = Self.withoutDetours(words(false)).map(\.text)
        return (without, without != words(true).map(\.text))
    }

    private var fingerprintParts: [String]? {
        if let cycle {
            // If a reference is not certain, there may be no cycle, or it may not hold the instance.
            guard isCertain(from: cycle.lowerBound) else { return nil }
            let words = stableWords(fromShownNode(of: cycle), of: \.type).map(\.text)
            return words.isEmpty ? nil : ["cycle"] + Self.leastRotation(of: words)
        }
        guard beginsAtRoot else {
            guard nodes.allSatisfy(\.isCertain) else { return nil }
            // The first object was retained too often. Everything that it holds belongs to the same leak.
            return ["unexplained", Self.stableName(nodes[0], \.type)]
        }
        return leakingPart().map { ["path"] + Self.withoutRepetition($0).map(\.text) }
    }

    /// The fingerprint's part of a path from a root; `nil` if a reference in it is not certain.
    private func leakingPart(hasLinks: Bool = true) -> [Word]? {
        let owner = suspect.map { nodes[$0].role == .object ? $0 : holder(before: $0) } ?? 0
        // A reference that is not certain may be missing in the next run.
        guard let start = isCertain(from: owner) ? owner : suspect else { return nil }
        // The part ends at the first instance that should have died. What this instance holds is not part of the leak.
        return stableWords(start..<firstGone, of: \.type, hasLinks: hasLinks) + [
            Word(Self.stableName(nodes[firstGone], \.type))
        ]
    }

    /// A word of a path: the name of a node, and the properties through which it holds the next.
    private struct Word {
        let name: String
        var members = ""
        let isObject: Bool

        init(_ name: String, members: String = "", isObject: Bool = false) {
            self.name = name
            self.members = members
            self.isObject = isObject
        }

        var text: String { name + members }
    }

    /// The words without those that repeat the word before them.
    ///
    /// The elements of a linked list are held in the same way, however far from its head they are.
    private static func withoutRepetition(_ words: [Word]) -> [Word] {
        var result: [Word] = []
        for (index, word) in words.enumerated() {
            // Steps that were left out within a list are steps of the list.
            let known = word.text == gap ? words[(index + 1)...].first : word
            if known?.text != result.last?.text { result.append(word) }
        }
        return result
    }

    /// The words without those from an object to the last object of its type, which is held in the same way.
    private static func withoutDetours(_ words: [Word]) -> [Word] {
        var result: [Word] = []
        for word in words where word.text != gap {
            if word.isObject, let first = result.firstIndex(where: { $0.isObject && $0.name == word.name }) {
                result.removeSubrange(first...)
            }
            result.append(word)
        }
        return result
    }

    /// The nodes of a cycle from the first one that the short form shows anywhere in a path.
    ///
    /// The search may enter a cycle in the elements of an array.
    private func fromShownNode(of cycle: ClosedRange<Int>) -> [Int] {
        let start = cycle.first { !nodes[$0].isFolded } ?? cycle.lowerBound
        return Array(start...cycle.upperBound) + (cycle.lowerBound..<start)
    }

    /// The last object before a node; the root if there is none.
    private func holder(before index: Int) -> Int {
        nodes[..<index].indices.last { nodes[$0].role == .object } ?? 0
    }

    /// A word for each node that the short form shows, with the properties of the folded nodes behind it.
    ///
    /// - Parameters:
    ///   - typeName: The form of an object's type: with its module, or short.
    ///   - hasLinks: Whether the properties of boxes that hold further boxes are a part of the words.
    private func stableWords(
        _ indices: some Sequence<Int>, of typeName: KeyPath<PathNode, String>, hasLinks: Bool = true
    ) -> [Word] {
        var words: [Word] = []
        var lastShown: PathNode.Role?
        let links = linkingBoxes(in: indices, keepsFirst: hasLinks)
        for index in indices where !links.contains(index) {
            let node = nodes[index]
            // In the middle of a cycle, the path's first node is like any other.
            let isShown = isShown(index) && (index > 0 || !node.isFolded || words.isEmpty)
            if isShown { lastShown = node.role }
            let members = index + 1 < nodes.count || cycle?.upperBound == index ? node.members : ""
            if node.role == .closure, let next = nextShown(after: index), next != index,
                nodes[next].role == .closure
            {
                // Only the last closure counts. The optimizer and the library decide which closures pass a call on to
                // it.
                continue
            } else if isShown, node.role != .block(.taskMemory) || node.kind != .task {
                // A task is a word only if its object is on the path, whatever its memory shows.
                words.append(
                    Word(Self.stableName(node, typeName), members: members, isObject: node.role == .object))
            } else if node.role != .thunk, node.role != .plumbing, !words.isEmpty, lastShown != .closure {
                // A capture is identified by its type. Only some builds contain the property inside the capture.
                words[words.count - 1].members += members
            }
        }
        return words
    }

    /// The boxes that hold the next box, and the gaps between boxes.
    ///
    /// They are the links of a list or a tree that consists of indirect cases. The last box holds what the list is for.
    ///
    /// - Parameter keepsFirst: Whether the first box of a row that holds the next box in a certain way is not counted.
    private func linkingBoxes(in indices: some Sequence<Int>, keepsFirst: Bool) -> Set<Int> {
        var links: [Int] = []
        var row: [Int] = []
        for index in indices {
            switch nodes[index].role {
            case .box: row.append(index)
            case .gap where !row.isEmpty: row.append(index)
            default:
                links += self.links(of: row, keepsFirst: keepsFirst)
                row = []
            }
        }
        return Set(links + self.links(of: row, keepsFirst: keepsFirst))
    }

    private func links(of row: [Int], keepsFirst: Bool) -> [Int] {
        guard keepsFirst else { return Array(row.dropLast()) }
        var known: Set<String> = []
        return row.dropLast().filter { nodes[$0].role == .gap || !known.insert(nodes[$0].members).inserted }
    }

    private static func stableName(_ node: PathNode, _ typeName: KeyPath<PathNode, String>) -> String {
        switch node.role {
        case .closure: node.closure?.stable ?? "closure"
        // A thread's name or number and a block's size may differ from run to run.
        case .root: root(node)
        case .block: node.kind.rawValue
        case .object, .storage, .plumbing: node[keyPath: typeName]
        // The compiler decides which functions have frames of their own.
        case .task: PathNode.task
        case .thunk, .box: node.name
        case .gap: gap
        }
    }

    private static let gap = "…"

    private static func root(_ node: PathNode) -> String {
        switch node.kind {
        case .stack: "stack"
        case .threadLocal: "a thread-local variable"
        default: withoutPlaces(node.name)
        }
    }

    /// The name without the address of a variable that has no symbol: `global at server+0x1234`.
    private static func withoutPlaces(_ name: String) -> String {
        name.place(of: "+0x").map { String(name[..<$0.lowerBound]) } ?? name
    }

    private static func leastRotation(of words: [String]) -> [String] {
        let rotations = words.indices.map { Array(words[$0...] + words[..<$0]) }
        return rotations.min { $0.lexicographicallyPrecedes($1) } ?? words
    }
}
