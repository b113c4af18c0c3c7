package import RetainShapesLibraries

/// Values in buffers whose type does not tell the types of the values.
@MainActor package enum HashTreeShapes {
    package static var screen: Screen?
    package static var tree = TreeDictionary<String, Screen>()
    package static var set = TreeDictionary<Screen, Void>()
    package static var bytes: ByteStore<Screen>?

    static let all = [item, deepItem, member, removed, inBytes]

    private static let item = Shape(
        "item of a hash tree",
        .held(.global("HashTreeShapes.tree"), .through("[\"detail\"]")).certain().giving("HashTreeShapes.tree")
    ) {
        let made = DetailScreen()
        tree.add(Screen(), for: "other")
        tree.add(made, for: "detail")
        tree.add(Screen(), for: "a text that is not stored in place")
        return Planted(made) { tree = TreeDictionary() }
    }

    private static let deepItem = Shape(
        "item deep in a hash tree",
        .held(.global("HashTreeShapes.tree"), .object("HashNodeStorage"), .object("HashNodeStorage")).certain()
            .giving("HashTreeShapes.tree")
    ) {
        let made = DetailScreen()
        for level in 0..<3 {
            tree.add(Screen(), for: "level \(level)")
            tree.addLevel()
        }
        tree.add(made, for: "detail")
        return Planted(made) { tree = TreeDictionary() }
    }

    private static let member = Shape(
        "member of a hash tree", .held(.global("HashTreeShapes.set")).certain().giving("HashTreeShapes.set")
    ) {
        let made = DetailScreen()
        set.add((), for: Screen())
        set.add((), for: made)
        return Planted(made) { set = TreeDictionary() }
    }

    private static let removed = Shape(
        "not held by a hash tree that it was taken out of", .held(.global("HashTreeShapes.screen")),
        using: ["HashTreeShapes.tree"]
    ) {
        let made = DetailScreen()
        screen = made
        tree.add(Screen(), for: "first")
        tree.add(made, for: "second")
        _ = tree.removeLast()
        return Planted(made) {
            screen = nil
            tree = TreeDictionary()
        }
    }

    private static let inBytes = Shape(
        "element in a buffer of bytes", .held(.global("HashTreeShapes.bytes"), .object("ByteStore"))
    ) {
        let made = DetailScreen()
        let store = ByteStore<Screen>.make()
        store.put(made)
        bytes = store
        return Planted(made) { bytes = nil }
    }
}
