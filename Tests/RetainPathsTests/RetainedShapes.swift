#if os(Linux) && arch(x86_64) && canImport(Glibc)

/// A planted graph: the objects that the two variables hold.
struct RetainedShape: Sendable {
    let name: String
    let plant: @Sendable () -> (AnyObject, AnyObject?)

    init(_ name: String, _ plant: @escaping @Sendable () -> (AnyObject, AnyObject?)) {
        self.name = name
        self.plant = plant
    }

    /// A graph that only the first variable holds.
    static func alone(_ name: String, _ plant: @escaping @Sendable () -> AnyObject) -> Self {
        Self(name) { (plant(), nil) }
    }

    static let all = chains + graphs + cycles + collections + values + closures + weakReferences + memory + twoRoots

    private static let chains =
        [1, 2, 3, 10, 100, 20_000].map { length in alone("chain of \(length)") { RetainedNode(chain: length) } }
        + [1, 3, 8].map { depth in alone("tree of depth \(depth)") { RetainedNode(depth: depth) } }

    private static let graphs = [
        alone("diamond") {
            let (top, bottom) = (RetainedNode(), RetainedNode())
            (top.next, top.other) = (RetainedNode(), RetainedNode())
            for side in [top.next, top.other] { side?.next = bottom }
            return top
        },
        alone("ten diamonds in a row") {
            let top = RetainedNode()
            var last = top
            for _ in 0..<10 {
                let bottom = RetainedNode()
                (last.next, last.other) = (RetainedNode(), RetainedNode())
                for side in [last.next, last.other] { side?.next = bottom }
                last = bottom
            }
            return top
        },
        alone("shared subtree") {
            let (top, shared) = (RetainedNode(), RetainedNode(depth: 4))
            top.nodes = (0..<5).map { _ in
                let node = RetainedNode()
                node.next = shared
                return node
            }
            return top
        },
        alone("shared by a near and a far node") {
            let (top, shared) = (RetainedNode(chain: 20), RetainedNode(chain: 5))
            var last = top
            while let next = last.next { last = next }
            (top.other, last.next) = (shared, shared)
            return top
        },
        alone("subclass") { RetainedSubclass() },
        alone("actor") { RetainedActor() },
        alone("generic class") { RetainedHolder((RetainedNode(), "text", RetainedNode())) },
    ]

    private static let cycles = [
        alone("cycle of one") {
            let node = RetainedNode()
            node.other = node
            return RetainedBreaker([node])
        },
        alone("cycle of two") {
            let (one, two) = (RetainedNode(), RetainedNode())
            (one.other, two.other) = (two, one)
            return RetainedBreaker([one, two])
        },
        alone("doubly linked list") {
            let nodes = (0..<50).map { _ in RetainedNode() }
            for (left, right) in zip(nodes, nodes.dropFirst()) { (left.other, right.next) = (right, left) }
            return RetainedBreaker(nodes)
        },
        alone("nodes that refer to their owner") {
            let owner = RetainedNode()
            owner.nodes = (0..<50).map { _ in
                let node = RetainedNode()
                node.other = owner
                return node
            }
            return RetainedBreaker([owner])
        },
        alone("cycle through a closure") {
            let node = RetainedNode()
            node.action = { node.nodes.count }
            return RetainedBreaker([node])
        },
        alone("irreducible loop") {
            let (top, left, right) = (RetainedNode(), RetainedNode(), RetainedNode())
            (top.next, top.other, left.other, right.other) = (left, right, right, left)
            return RetainedBreaker([top, left, right])
        },
    ]

    private static let collections =
        [0, 1, 5, 1_000].map { count in
            alone("array of \(count)") { RetainedHolder((0..<count).map { _ in RetainedNode() }) }
        } + [
            alone("array of arrays") { RetainedHolder((0..<5).map { _ in (0..<5).map { _ in RetainedNode() } }) },
            alone("array that repeats an object") { RetainedHolder(Array(repeating: RetainedNode(), count: 10)) },
            alone("two names of one array") {
                let nodes = (0..<5).map { _ in RetainedNode() }
                return RetainedHolder((nodes, nodes))
            },
            alone("contiguous array") { RetainedHolder(ContiguousArray((0..<5).map { _ in RetainedNode() })) },
            alone("array of rows") {
                RetainedHolder((0..<5).map { _ in RetainedRow(first: RetainedNode(), second: RetainedNode()) })
            },
            alone("large array of numbers") { RetainedHolder(Array(0..<100_000)) },
            alone("slice") { RetainedHolder((0..<9).map { _ in RetainedNode() }[3..<5]) },
            alone("dictionary by name") {
                let node = RetainedNode()
                for number in 0..<20 { node.named["a name of some length \(number)"] = RetainedNode() }
                return node
            },
            alone("dictionary of arrays") {
                RetainedHolder(Dictionary(uniqueKeysWithValues: (0..<9).map { ($0, [RetainedNode()]) }))
            },
            alone("dictionary with hashable keys of any type") {
                RetainedHolder([AnyHashable("a key of some length"): RetainedNode(), AnyHashable(3): RetainedNode()])
            },
            alone("set of numbers") { RetainedHolder(Set(0..<500)) },
            alone("set of texts") { RetainedHolder(Set((0..<9).map { "a text of some length, number \($0)" })) },
        ]

    private static let values = [
        alone("long text") { RetainedHolder(String(repeating: "long ", count: 1_000)) },
        alone("existential of an object") { RetainedHolder<Any>(RetainedNode()) },
        alone("existential of a large value") {
            RetainedHolder<Any>(RetainedRow(first: RetainedNode(), second: RetainedNode()))
        },
        alone("array of existentials") { RetainedHolder<[Any]>([1, RetainedNode(), "text", RetainedNode()]) },
        alone("error") { RetainedHolder<any Error>(RetainedFailure()) },
        alone("indirect enum") { RetainedHolder(RetainedTree.make(4)) },
        alone("optional tuple") { RetainedHolder<(RetainedNode, RetainedNode)?>((RetainedNode(), RetainedNode())) },
    ]

    private static let closures = [
        alone("closure that captures an object") {
            let (node, captured) = (RetainedNode(), RetainedNode())
            node.action = { captured.nodes.count }
            return node
        },
        alone("closure that captures two objects") {
            let (node, one, two) = (RetainedNode(), RetainedNode(), RetainedNode())
            node.action = { one.nodes.count + two.nodes.count }
            return node
        },
        alone("closure that captures a variable") {
            let node = RetainedNode()
            var captured = [RetainedNode()]
            node.action = {
                captured.append(RetainedNode())
                return captured.count
            }
            _ = node.action?()
            return node
        },
        alone("closures that share a variable") {
            let node = RetainedNode()
            var captured = [RetainedNode()]
            let add = { captured.append(RetainedNode()) }
            let count = { captured.count }
            node.action = {
                add()
                return count()
            }
            node.anything = count
            return node
        },
        alone("array of closures") {
            RetainedHolder(
                (0..<5).map { number in
                    let captured = RetainedNode()
                    return { captured.nodes.count + number }
                })
        },
    ]

    private static let weakReferences = [
        alone("weak reference upwards") {
            let top = RetainedNode(chain: 3)
            top.next?.next?.weakly = top
            return top
        },
        alone("weak reference sideways") {
            let top = RetainedNode()
            top.nodes = (0..<5).map { _ in RetainedNode() }
            for node in top.nodes { node.weakly = top.nodes[0] }
            return top
        },
        alone("unowned reference upwards") {
            let top = RetainedNode(chain: 3)
            top.next?.next?.unownedly = top
            return top
        },
        alone("unowned reference without a check") {
            let top = RetainedNode(chain: 3)
            top.next?.next?.unsafely = top
            return top
        },
        alone("closure that captures weakly") {
            let node = RetainedNode()
            node.action = { [weak node] in node?.nodes.count ?? 0 }
            return node
        },
    ]

    private static let memory = [
        alone("memory of an object") { RetainedMemoryOwner() },
        alone("buffer with a header") {
            ManagedBuffer<Int, RetainedNode>.create(minimumCapacity: 4) { _ in 0 }
        },
        alone("ten objects with memory") { RetainedHolder((0..<10).map { _ in RetainedMemoryOwner() }) },
    ]

    private static let twoRoots = [
        RetainedShape("two roots to one object") {
            let shared = RetainedNode(chain: 5)
            return (shared, shared)
        },
        RetainedShape("two roots that share a part") {
            let (one, two, shared) = (RetainedNode(chain: 3), RetainedNode(chain: 4), RetainedNode(depth: 3))
            (one.other, two.other) = (shared, shared)
            return (one, two)
        },
        RetainedShape("the second root holds the middle") {
            let top = RetainedNode(chain: 9)
            let middle = top.next?.next?.next
            return (top, middle)
        },
        RetainedShape("the second root refers weakly to itself alone") {
            let (one, two) = (RetainedNode(), RetainedNode())
            two.weakly = two
            return (one, two)
        },
        RetainedShape("the second root holds memory with an address of the first") {
            let node = RetainedNode(chain: 3)
            return (node, RetainedLeftover(node))
        },
    ]
}
#endif
