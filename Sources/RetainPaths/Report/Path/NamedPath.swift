/// The way to an instance, or the cycle that keeps it, with names.
struct NamedPath: Hashable {
    /// From the root to the instance, or round the cycle; never empty.
    var nodes: [PathNode]
    /// Where the cycle begins and ends; the node at the upper bound holds the one at the lower.
    var cycle: ClosedRange<Int>?
    /// Whether the first node is a root, rather than an object of which nobody knows who holds it.
    var beginsAtRoot = true
    /// The addresses of all instances that the question was about.
    var targets: Set<HiddenAddress> = []
    /// Modules of libraries: what their types and closures hold is nothing that the program's authors can change.
    var libraryModules = KnownTypes.libraries

    /// Reads a path, or returns `nil` where there is none.
    init?(
        _ finding: HeapAnswer.Finding, reader: NodeReader, targets: Set<HiddenAddress> = [],
        libraryModules: Set<String> = KnownTypes.libraries
    ) {
        var steps = finding.steps
        guard !steps.isEmpty else { return nil }
        var range = finding.cycle.map { $0.clamped(to: 0...(steps.count - 1)) }
        if let cycle = range {
            Self.dropRepeatedEnd(of: &steps, cycle: cycle, endsThere: finding.status == .cycle).map { range = $0 }
        }
        self.init(steps, cycle: range, reader: reader, libraryModules: libraryModules)
        if range == nil, let last = steps.last, last.address != finding.address {
            addEnd(finding, reader: reader)
        }
        beginsAtRoot = finding.status == .reachable
        self.targets = targets
    }

    /// Of a very long way only the beginning was told: here is its end.
    private mutating func addEnd(_ finding: HeapAnswer.Finding, reader: NodeReader) {
        nodes.append(PathNode(role: .gap, address: 0, name: "… (a long way)", kind: .otherMemory))
        nodes.append(
            reader.node(
                HeapAnswer.Step(
                    node: .object, address: finding.address, metadata: finding.metadata, size: 0, edge: nil,
                    isPrecise: true,
                    name: "", outerName: "", index: nil, key: nil, isInKey: false, code: 0, offset: 0, isReached: true))
        )
    }

    private init(
        _ steps: [HeapAnswer.Step], cycle range: ClosedRange<Int>?, reader: NodeReader, libraryModules: Set<String>
    ) {
        nodes = []
        self.libraryModules = libraryModules
        if let first = steps.first, first.node == .staticObject { nodes.append(reader.variable(ofStaticObject: first)) }
        var lower = 0
        for (index, step) in steps.enumerated() {
            if index == range?.lowerBound { lower = nodes.count }
            // In a cycle the first node is held by the last.
            let holder = index == range?.lowerBound ? range.map { steps[$0.upperBound] } : steps[..<index].last
            nodes.append(reader.node(step, code: reader.function(of: holder)))
            let isLastOfCycle = index == range?.upperBound
            let next = isLastOfCycle ? range.map { steps[$0.lowerBound] } : steps[(index + 1)...].first
            let code = reader.function(of: step)
            if let next, code != 0, next.node != .closure, next.node != .task {
                let isCertain = nodes[nodes.count - 1].isCertain
                nodes.append(
                    reader.closureWithoutContext(code: code, holding: next, isCertain: isCertain))
            }
            if isLastOfCycle { cycle = lower...(nodes.count - 1) }
        }
        foldAskingTask(steps)
        foldLibraryClosures()
        showOwnMemory()
    }

    /// Memory that the program has allocated itself, and that holds an object: no layout tells of it, and freeing it is the program's.
    private mutating func showOwnMemory() {
        for index in nodes.indices.dropFirst() {
            guard nodes[index].role == .block(.memory), let holder = nodes[..<index].indices.last(where: isShown),
                [.global, .object].contains(nodes[holder].kind), !isOfLibrary(holder),
                let next = nextShown(after: index), nodes[next].role == .object
            else { continue }
            nodes[index].role = .block(.ownMemory)
        }
    }

    /// The task that asks, or waits, is told as the root already, and it is none that should have ended.
    private mutating func foldAskingTask(_ steps: [HeapAnswer.Step]) {
        guard let root = steps.first?.node, [.rootTask, .rootWaitingTask].contains(root), nodes.count > 2,
            nodes[1].role == .task
        else { return }
        nodes[1].role = .plumbing
    }

    /// A library's closure that keeps another is to people the way to that one: theirs is what they can mend.
    private mutating func foldLibraryClosures() {
        for index in nodes.indices.reversed() {
            guard nodes[index].role == .closure, isOfLibrary(index),
                let next = nextShown(after: index), nodes[next].role == .closure, next != index
            else { continue }
            nodes[index].role = .thunk
        }
    }

    /// A cycle may come with its first node once more at its end, which says nothing new.
    ///
    /// - Returns: The cycle without it, where there was one.
    private static func dropRepeatedEnd(
        of steps: inout [HeapAnswer.Step], cycle: ClosedRange<Int>, endsThere: Bool
    ) -> ClosedRange<Int>? {
        let first = steps[cycle.lowerBound].address
        if cycle.count > 1, steps[cycle.upperBound].address == first {
            if endsThere { steps.removeSubrange(cycle.upperBound...) }
            return cycle.lowerBound...(cycle.upperBound - 1)
        }
        if endsThere, cycle.upperBound + 2 == steps.count, steps[cycle.upperBound + 1].address == first {
            steps.removeLast()
        }
        return nil
    }
}

extension NamedPath {
    /// Whether a node's references were written in a library; also of what is written nowhere, such as a Dispatch queue.
    func isOfLibrary(_ index: Int) -> Bool {
        let node = nodes[index]
        switch node.role {
        case .closure: return libraryModules.contains(node.closure?.module ?? "")
        case .object, .root: return libraryModules.contains(node.module)
        case .block: return true
        case .plumbing, .storage, .thunk, .box, .task, .gap: return false
        }
    }

    /// Whether the short form shows a node: the ends it always shows.
    func isShown(_ index: Int) -> Bool {
        !nodes[index].isFolded || index == 0 || index == nodes.count - 1 && cycle?.upperBound != index
    }

    /// The node to which a node's reference leads, past what the short form leaves out.
    ///
    /// - Parameter passed: Called with each node on the way that is left out.
    func nextShown(after index: Int, passed: (PathNode) -> Void = { _ in }) -> Int? {
        var current = index
        // Round a cycle all nodes may be folded but its first.
        for _ in nodes.indices {
            if let cycle, current == cycle.upperBound {
                current = cycle.lowerBound
            } else if current + 1 < nodes.count {
                current += 1
            } else {
                return nil
            }
            if isShown(current) || current == index { return current }
            passed(nodes[current])
        }
        return nil
    }

    /// The last shown node up to and including one.
    func lastShown(upTo index: Int) -> Int {
        nodes[...index].indices.last(where: isShown) ?? 0
    }

    /// The instance that should have gone first: the first one on the way that was asked for, else the last node.
    var firstGone: Int {
        let isGone: (PathNode) -> Bool = { node in
            node.role == .object && targets.contains(HiddenAddress(wrappedValue: node.address))
        }
        return nodes.firstIndex(where: isGone) ?? nodes.count - 1
    }

    /// Through what a node holds the next: `.subs`, `[2].1`, `captures DetailScreen strongly`; empty at the end.
    func through(_ index: Int) -> String {
        let node = nodes[index]
        guard index + 1 < nodes.count || cycle?.upperBound == index else { return "" }
        switch node.role {
        case .closure: return capture(at: index)
        case .thunk: return ""
        default: return node.element + node.members
        }
    }

    /// What a closure captures, and in what it lies.
    private func capture(at index: Int) -> String {
        var place = ""
        let held = nextShown(after: index) { node in
            guard place.isEmpty else { return }
            switch node.role {
            case .storage: place = Self.collection(node)
            case .box: place = ", in a variable"
            default: break
            }
        }
        guard let held else { return "" }
        switch nodes[held].role {
        case .closure: return "captures a closure\(place)"
        case .task: return "captures a Task\(place)"
        case .block: return "captures \(nodes[held].name)\(place)"
        default: return "captures \(nodes[held].name) strongly\(place)"
        }
    }

    private static func collection(_ node: PathNode) -> String {
        if node.name.hasPrefix("Dictionary") { return ", in a dictionary" }
        return node.name.hasPrefix("Set") ? ", in a set" : ", in an array"
    }

    /// The path as it is told.
    var steps: [RetainStep] {
        nodes.indices.map { step($0) }
    }

    private func step(_ index: Int) -> RetainStep {
        RetainStep(
            kind: nodes[index].kind, name: nodes[index].name, through: through(index),
            isCertain: nodes[index].isCertain,
            isFolded: !isShown(index))
    }
}
