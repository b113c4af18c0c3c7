/// The path to an instance, or the cycle that keeps it, with names.
struct NamedPath: Hashable {
    /// The nodes from the root to the instance, or round the cycle; never empty.
    var nodes: [PathNode]
    /// The position of the cycle.
    ///
    /// The node at the upper bound holds the node at the lower bound.
    var cycle: ClosedRange<Int>?
    /// Whether the first node is a root or a task that keeps itself.
    ///
    /// Otherwise it is part of a cycle, or an object without a known holder.
    var beginsAtRoot = true
    /// The addresses of all requested instances.
    var targets: Set<HiddenAddress> = []
    /// Modules of libraries.
    ///
    /// The program's authors cannot change the references of their types and closures.
    var libraryModules = KnownTypes.libraries

    /// Reads the path of a finding; `nil` if there is none.
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
        steps = reader.withCertainHandlers(steps)
        self.init(steps, cycle: range, gap: finding.gap, reader: reader, libraryModules: libraryModules)
        if range == nil, let last = steps.last, last.address != finding.address {
            addEnd(finding, reader: reader)
        }
        beginsAtRoot = finding.status == .reachable
        self.targets = targets
    }

    /// Adds the instance to a path that was too long to be copied completely.
    private mutating func addEnd(_ finding: HeapAnswer.Finding, reader: NodeReader) {
        nodes.append(Self.gap)
        nodes.append(
            reader.node(
                HeapAnswer.Step(
                    node: .object, address: finding.address, metadata: finding.metadata, size: 0, edge: nil,
                    isPrecise: true, names: [], index: nil, key: nil, isInKey: false, code: 0, offset: 0,
                    isReached: true))
        )
    }

    private static let gap = PathNode(role: .gap, address: 0, name: "… (many steps)", kind: .otherMemory)

    private init(
        _ steps: [HeapAnswer.Step], cycle range: ClosedRange<Int>?, gap: Int?, reader: NodeReader,
        libraryModules: Set<String>
    ) {
        nodes = []
        self.libraryModules = libraryModules
        if let first = steps.first, first.node == .staticObject { nodes.append(reader.variable(ofStaticObject: first)) }
        var lower = 0
        for (index, step) in steps.enumerated() {
            if index == range?.lowerBound { lower = nodes.count }
            if index == gap { nodes.append(Self.gap) }
            // In a cycle, the last node holds the first one.
            let before = index == gap ? nil : steps[..<index].last
            let holder = index == range?.lowerBound ? range.map { steps[$0.upperBound] } : before
            nodes.append(reader.node(step, code: reader.function(of: holder), slice: holder?.slice))
            let isLastOfCycle = index == range?.upperBound
            let after = index + 1 == gap ? nil : steps[(index + 1)...].first
            let next = isLastOfCycle ? range.map { steps[$0.lowerBound] } : after
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
        foldWakingTasks()
        dropRepeatedFunctions()
        showOwnMemory()
    }

    /// Shows memory that the program itself has allocated and that holds an object.
    ///
    /// No layout describes such memory, and the program must free it.
    private mutating func showOwnMemory() {
        for index in nodes.indices.dropFirst() {
            guard nodes[index].role == .block(.memory), let holder = nodes[..<index].indices.last(where: isShown),
                [.global, .object].contains(nodes[holder].kind), !isOfLibrary(holder),
                let next = nextShown(after: index), nodes[next].role == .object
            else { continue }
            nodes[index].role = .block(.ownMemory)
        }
    }

    /// Folds the requesting or awaiting task.
    ///
    /// The root names it already, and it is not expected to have ended.
    private mutating func foldAskingTask(_ steps: [HeapAnswer.Step]) {
        guard let root = steps.first?.node, [.rootTask, .rootWaitingTask].contains(root), nodes.count > 2,
            nodes[1].role == .task
        else { return }
        nodes[1].role = .plumbing
    }

    /// Folds a library's closure that keeps another closure.
    ///
    /// Only the other closure may be the program's own.
    private mutating func foldLibraryClosures() {
        for index in nodes.indices.reversed() {
            guard nodes[index].role == .closure, isOfLibrary(index),
                let next = nextShown(after: index), nodes[next].role == .closure, next != index
            else { continue }
            nodes[index].role = .thunk
        }
    }

    /// Folds the task with which `Task.sleep` wakes another task, and its closure.
    ///
    /// Both are the library's own.
    private mutating func foldWakingTasks() {
        for index in nodes.indices.dropFirst() {
            guard nodes[index].role == .closure, nodes[index].closure?.isOfSleep ?? false, isOfLibrary(index),
                let task = nodes[..<index].indices.last(where: isShown), nodes[task].role == .task,
                let next = nextShown(after: index), next > index, nodes[next].kind == .task
            else { continue }
            nodes[index].role = .thunk
            if task > 0 { nodes[task].role = .plumbing }
        }
    }

    /// Removes the function of a task that holds a closure of that function, because the closure's name tells it.
    private mutating func dropRepeatedFunctions() {
        for index in nodes.indices {
            guard let function = nodes[index].function, let next = nextShown(after: index),
                let closure = nodes[next].closure, "in \(closure.brief)".hasSuffix("in \(function)")
            else { continue }
            nodes[index].name = PathNode.task
        }
    }

    /// Removes the first node of a cycle if it is repeated at the end.
    ///
    /// - Returns: The cycle without the repeated node, if the node was part of the cycle.
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
    /// Whether a library's code contains the node's references.
    ///
    /// True also for blocks, which no source code describes, such as a Dispatch queue.
    func isOfLibrary(_ index: Int) -> Bool {
        let node = nodes[index]
        switch node.role {
        case .closure: return libraryModules.contains(node.closure?.module ?? "")
        case .object, .root: return libraryModules.contains(node.module)
        case .block: return true
        case .plumbing, .storage, .thunk, .box, .task, .gap: return false
        }
    }

    /// Whether the cycle contains a closure that the program's own code contains.
    ///
    /// The program makes such a cycle even if all its classes belong to libraries, as boxes of variables do.
    var hasOwnClosureInCycle: Bool {
        cycle?.contains { index in
            nodes[index].role == .closure && !(nodes[index].closure?.module ?? "").isEmpty && !isOfLibrary(index)
        } ?? false
    }

    /// Whether the short form shows a node.
    ///
    /// It always shows the first node, and the last one unless that closes a cycle.
    func isShown(_ index: Int) -> Bool {
        !nodes[index].isFolded || index == 0 || index == nodes.count - 1 && cycle?.upperBound != index
    }

    /// The next node that the short form shows.
    ///
    /// - Parameter passed: Called with each folded node in between.
    func nextShown(after index: Int, passed: (PathNode) -> Void = { _ in }) -> Int? {
        var current = index
        // In a cycle, all nodes but the first may be folded.
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

    /// The last shown node at or before an index.
    func lastShown(upTo index: Int) -> Int {
        nodes[...index].indices.last(where: isShown) ?? 0
    }

    /// The instance that should have died first: the first requested instance on the path, else the last node.
    var firstGone: Int {
        let isGone: (PathNode) -> Bool = { node in
            node.role == .object && targets.contains(HiddenAddress(wrappedValue: node.address))
        }
        return nodes.firstIndex(where: isGone) ?? nodes.count - 1
    }

    /// The property, element or capture through which a node holds the next: `.subs`, `[2].1`,
    /// `captures DetailScreen strongly`; empty at the end.
    func through(_ index: Int) -> String {
        let node = nodes[index]
        guard index + 1 < nodes.count || cycle?.upperBound == index else { return "" }
        switch node.role {
        case .closure: return capture(at: index)
        case .thunk: return ""
        default: return node.element + node.shownMembers
        }
    }

    /// The steps of the path for a report.
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
