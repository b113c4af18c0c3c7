/// Cycles of objects that nobody traces.
@MainActor enum UntracedCycleShapes {
    static let all =
        itself + [two("next"), two("other")] + rings + collections + values + closures + classes

    /// Shapes in which a node holds itself through one of its properties.
    private static func own(
        _ name: String, through property: String, _ hold: @escaping @MainActor @Sendable (PlainNode) -> Void,
        release: @escaping @MainActor @Sendable (PlainNode) -> Void
    ) -> Shape {
        Shape("untraced: \(name)", .cycle(.object("PlainNode"), .through(property))) {
            let node = PlainNode()
            hold(node)
            let hidden = Hidden(node)
            return Planted { release(hidden.object) }
        }
    }

    private static let itself = [
        own("itself", through: "next", { $0.next = $0 }, release: { $0.next = nil }),
        own("in a tuple", through: "pair", { $0.pair = ($0, 1) }, release: { $0.pair = (nil, 0) }),
    ]

    private static func two(_ property: String) -> Shape {
        Shape("untraced: two, by \(property)", .cycle(.object("PlainNode"), .through(property), .through("next"))) {
            let (first, second) = (PlainNode(), PlainNode())
            if property == "next" { first.next = second } else { first.other = second }
            second.next = first
            let hidden = Hidden(second)
            return Planted { hidden.object.next = nil }
        }
    }

    private static let rings = [
        Shape(
            "untraced: ring of three with a list behind it",
            .cycle(.object("PlainNode"), .through("next"), .through("next"), .through("next"))
        ) {
            let nodes = (0..<3).map { _ in PlainNode() }
            for (index, node) in nodes.enumerated() { node.next = nodes[(index + 1) % 3] }
            // What the ring holds is no leak of its own.
            nodes[1].children = (0..<20).map { _ in PlainNode() }
            let hidden = Hidden(nodes[0])
            return Planted { hidden.object.next = nil }
        }
    ]

    private static let collections = [
        own("in an array", through: "children", { $0.children = [$0] }, release: { $0.children = [] }),
        own("in a slice", through: "slice", { $0.slice = [$0, $0][1...] }, release: { $0.slice = [] }),
        own("among any objects", through: "objects", { $0.objects = [$0] }, release: { $0.objects = [] }),
        own("in a dictionary", through: "table", { $0.table["a"] = $0 }, release: { $0.table = [:] }),
        own("in an array of a dictionary", through: "nested", { $0.nested["a"] = [$0] }, release: { $0.nested = [:] }),
        own(
            "by a key of a set", through: "keys",
            { node in
                let key = PlainKey()
                key.node = node
                node.keys = [key]
            }, release: { $0.keys = [] }),
    ]

    private static let values = [
        own("in an existential", through: "anything", { $0.anything = $0 }, release: { $0.anything = nil }),
        own(
            "in a large value in an existential", through: "anything", { $0.anything = PlainRow(node: $0) },
            release: { $0.anything = nil }),
        own(
            "in an existential with a constraint", through: "source", { $0.source = PlainSequence(node: $0) },
            release: { $0.source = nil }),
        own(
            "by an argument of a key path", through: "anything",
            { node in
                let key = PlainKey()
                key.node = node
                node.anything = \PlainGrid.[key]
            }, release: { $0.anything = nil }),
        own("in an error", through: "error", { $0.error = PlainFailure(node: $0) }, release: { $0.error = nil }),
        own(
            "in an indirect enum", through: "tree", { $0.tree = .branch(.leaf(nil), .leaf($0)) },
            release: { $0.tree = .leaf(nil) }),
    ]

    private static let closures = [
        own("closure", through: "action", { node in node.action = { node.touch() } }, release: { $0.action = nil }),
        own("method", through: "action", { $0.action = $0.touch }, release: { $0.action = nil }),
        own(
            "closure in an array", through: "actions", { node in node.actions = [{ node.touch() }] },
            release: { $0.actions = [] }),
        own(
            "closure in a closure", through: "action",
            { node in
                let inner = { node.touch() }
                node.action = { inner() }
            }, release: { $0.action = nil }),
        own(
            "captured variable", through: "action",
            { node in
                var current: PlainNode? = node
                node.action = {
                    current?.touch()
                    current = current?.next ?? current
                }
            }, release: { $0.action = nil }),
    ]

    private static let classes = [
        Shape("untraced: generic class", .cycle(.object("PlainBox<PlainNode>"), .through("value"), .through("other"))) {
            let (box, node) = (PlainBox<PlainNode>(), PlainNode())
            (box.value, node.other) = (node, box)
            let hidden = Hidden(box)
            return Planted { hidden.object.value = nil }
        },
        Shape(
            "untraced: property of a generic superclass",
            .cycle(.object("PlainDerived"), .through("held"), .through("other"))
        ) {
            let (derived, node) = (PlainDerived(), PlainNode())
            (derived.held, node.other) = (node, derived)
            let hidden = Hidden(derived)
            return Planted { hidden.object.held = nil }
        },
        Shape("untraced: element of a buffer", .cycle(.object("PlainNode"), .through("anything"))) {
            let node = PlainNode()
            let buffer = PlainBuffer.create(minimumCapacity: 4) { _ in 1 }
            buffer.withUnsafeMutablePointerToElements { $0.initialize(to: node) }
            node.anything = buffer
            let hidden = Hidden(node)
            return Planted { hidden.object.anything = nil }
        },
    ]
}
